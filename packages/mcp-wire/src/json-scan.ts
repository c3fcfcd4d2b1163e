/** The parts of a JSON text whose places a scan returns. A part without either member is found, but not its parts. */
export interface RequestedParts {
  /** Members of an object, by name (ASCII). The last member of a name counts, as with `JSON.parse`. */
  readonly members?: Readonly<Record<string, RequestedParts>>;
  /** All elements of an array, or all members of an object. */
  readonly elements?: RequestedParts;
  /** Of `elements`, only those from an index up to another, exclusive. */
  readonly range?: readonly [from: number, to: number];
}

/** The place of a value in a JSON text. */
export interface JsonSlice {
  /** The first byte of the value, and the first one after it. */
  readonly from: number;
  readonly to: number;
  /** The name of a member, and the first byte of it as it is written. */
  readonly name: string;
  readonly nameFrom: number;
  /** The members of all objects in the value, at any depth. */
  readonly names: number;
  /** These members, and all objects and arrays in the value, itself included. */
  readonly values: number;
  readonly members?: Readonly<Record<string, JsonSlice>> | undefined;
  /** The elements or all members, if they are requested. */
  readonly elements?: readonly JsonSlice[] | undefined;
  /** The number of all elements or members, of a value whose parts are requested. */
  readonly length: number;
}

/** The bounds of a JSON text. */
export interface JsonLimits {
  readonly maxLevels: number;
  /**
   * Maximum number of members, objects and arrays together; no maximum when absent. Texts and numbers in arrays are not counted: a parser
   * reads them fast and into little memory. It is the maximum number of returned places too.
   */
  readonly maxValues?: number;
}

/** Why a text is refused. Places are in bytes. */
export type JsonProblem =
  | { readonly code: 'json.incomplete'; readonly at: number }
  | { readonly code: 'json.unexpected'; readonly at: number }
  | { readonly code: 'json.long-number'; readonly at: number }
  | { readonly code: 'json.too-deep'; readonly limit: number }
  | { readonly code: 'json.too-many-values'; readonly limit: number }
  | { readonly code: 'json.too-large'; readonly limit: number };

type ProblemByCode<C extends JsonProblem['code']> = Extract<JsonProblem, { code: C }>;

const problemTexts: { readonly [C in JsonProblem['code']]: (problem: ProblemByCode<C>) => string } =
  {
    'json.incomplete': ({ at }) =>
      at === 0 ? 'it is empty' : `it is not JSON: it ends early, at byte ${at}`,
    'json.unexpected': ({ at }) => `it is not JSON: unexpected character at byte ${at}`,
    'json.long-number': ({ at }) =>
      `the number at byte ${at} is longer than ${MAX_NUMBER_BYTES} characters`,
    'json.too-deep': ({ limit }) => `it is nested deeper than ${limit} levels`,
    'json.too-many-values': ({ limit }) =>
      `it has more than ${limit} members, objects and arrays, which is too much to parse`,
    'json.too-large': ({ limit }) => `it is larger than ${limit} bytes, which is too much to parse`,
  };

const formatProblem = <C extends JsonProblem['code']>(code: C, problem: ProblemByCode<C>): string =>
  problemTexts[code](problem);

/** Returns the reason in words, as the end of a sentence about the text. */
export const formatJsonProblem = (problem: JsonProblem): string =>
  formatProblem(problem.code, problem);

/** The limits of a text that is forwarded and not parsed. */
export const FORWARD_LIMITS: JsonLimits = { maxLevels: 1_000 };

/** Longer numbers are refused: a number is read in one go. */
const MAX_NUMBER_BYTES = 64 * 1024;

/** Plain bytes of a string after which it is read by words of four bytes. */
const BYTEWISE = 24;

/** Longest written form of a requested name: six bytes for each character. */
const MAX_NAME_BYTES = 256;

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The next expected token. A name is expected in the states above `VALUE_OR_END` and up to `NAME_OR_END`. */
const VALUE = 0;
const VALUE_OR_END = 1;
const NAME = 2;
const NAME_OR_END = 3;
const AFTER_NAME = 4;
const AFTER_VALUE = 5;

/** Kinds of bytes. */
const SPACE = 1;
const DIGIT = 2;
const HEX = 4;
const ESCAPED = 8;
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  [' \t\n\r', SPACE],
  ['0123456789', DIGIT | HEX],
  ['abcdefABCDEF', HEX],
] as const)
  for (const byte of Buffer.from(characters)) KINDS[byte] = kind;
for (const byte of Buffer.from('"\\/bfnrt')) KINDS[byte] = (KINDS[byte] ?? 0) | ESCAPED;

const isKind = (byte: number | undefined, kind: number): boolean =>
  byte !== undefined && ((KINDS[byte] ?? 0) & kind) !== 0;

/** Bytes that end a run of plain ones in a string. */
const SPECIAL = new Uint8Array(256).fill(1, 0, 0x20);
SPECIAL[QUOTE] = 1;
SPECIAL[BACKSLASH] = 1;

const isPlain = (byte: number | undefined): boolean => SPECIAL[byte ?? 0] === 0;

/** Returns the end of the digits; -1 without any. */
const endOfDigits = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (isKind(bytes[at], DIGIT)) at += 1;
  return at === from ? -1 : at;
};

/** Returns the end of the number; -1 when there is none. */
const endOfNumber = (bytes: Uint8Array, from: number): number => {
  let at = bytes[from] === MINUS ? from + 1 : from;
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at);
  if (at !== -1 && bytes[at] === DOT) at = endOfDigits(bytes, at + 1);
  if (at === -1 || ((bytes[at] ?? 0) | 0x20) !== LOWER_E) return at;
  const sign = bytes[at + 1];
  return endOfDigits(bytes, sign === MINUS || sign === PLUS ? at + 2 : at + 1);
};

const LITERALS = ['true', 'false', 'null'].map((literal) => Buffer.from(literal));

/** Returns the end of `true`, `false` or `null`; -1 when there is none. */
const endOfLiteral = (bytes: Uint8Array, from: number): number => {
  const literal = LITERALS.find((one) => one[0] === bytes[from]);
  if (literal === undefined) return -1;
  for (let index = 1; index < literal.length; index += 1)
    if (bytes[from + index] !== literal[index]) return -1;
  return from + literal.length;
};

/** Returns the end of the escape that begins with a backslash; -1 when it is none. */
const endOfEscape = (bytes: Uint8Array, from: number): number => {
  const byte = bytes[from + 1];
  if (isKind(byte, ESCAPED)) return from + 2;
  if (byte !== LOWER_U) return -1;
  for (let at = from + 2; at < from + 6; at += 1) if (!isKind(bytes[at], HEX)) return -1;
  return from + 6;
};

/** The bytes by words of four, from the first aligned one on. */
const toWords = ({ buffer, byteOffset, length }: Uint8Array): Int32Array => {
  const shift = -byteOffset & 3;
  return new Int32Array(buffer, byteOffset + shift, Math.max(0, length - shift) >> 2);
};

/**
 * Returns a place at or after `from`, and at or before the next control character, quote or backslash. Reads words of four bytes, and stops at
 * some bytes above 0x7f in vain.
 */
const skipPlain = (words: Int32Array, shift: number, from: number, stop: number): number => {
  const last = Math.min(words.length, (stop - shift) >> 2);
  let index = (from - shift) >> 2;
  for (; index < last; index += 1) {
    const word = words[index] ?? 0;
    const quotes = word ^ 0x22222222;
    const slashes = word ^ 0x5c5c5c5c;
    const found =
      ((word - 0x20202020) & ~word) |
      ((quotes - 0x01010101) & ~quotes) |
      ((slashes - 0x01010101) & ~slashes);
    if ((found & 0x80808080) !== 0) break;
  }
  return Math.max(from, (index << 2) + shift);
};

class Slice implements JsonSlice {
  readonly from: number;
  readonly name: string;
  readonly nameFrom: number;
  to = -1;
  names: number;
  values: number;
  members: Record<string, JsonSlice> | undefined = undefined;
  elements: JsonSlice[] | undefined = undefined;
  length = 0;

  constructor(from: number, name: string, nameFrom: number) {
    this.from = from;
    this.name = name;
    this.nameFrom = nameFrom;
    this.names = 0;
    this.values = 0;
  }
}

/** An open array or object whose parts are requested. */
interface Frame {
  readonly slice: Slice;
  readonly requested: RequestedParts;
  readonly isObject: boolean;
  /** The requested parts of the next part; `undefined` when it is not requested itself. */
  next: RequestedParts | undefined;
  /** The name of the next part of an object. */
  name: string;
  nameFrom: number;
  /** The part that is open. */
  part: Slice | undefined;
}

/**
 * A scan of one JSON text (RFC 8259, UTF-8), which accepts exactly what `JSON.parse` accepts. It returns the places of the requested parts
 * and parses nothing. It can be advanced in slices, so that a large text does not occupy the event loop.
 *
 * Bytes above 0x7f are accepted in strings and not validated.
 */
export class JsonScan {
  /** Why the text is refused; `undefined` when it is not. */
  problem: JsonProblem | undefined = undefined;
  /** The whole value; `undefined` for a refused text. */
  root: JsonSlice | undefined = undefined;
  readonly #bytes: Uint8Array;
  readonly #requested: RequestedParts;
  readonly #limits: JsonLimits;
  readonly #frames: Frame[] = [];
  /** The open arrays and objects: `true` for an object. */
  readonly #open: boolean[] = [];
  #at = 0;
  #state = VALUE;
  /** The first byte of the open string; -1 outside strings. */
  #string = -1;
  #names = 0;
  /** Members, arrays and objects. */
  #values = 0;
  /** Returned places. */
  #places = 0;

  constructor(
    bytes: Uint8Array,
    requested: RequestedParts = {},
    limits: JsonLimits = FORWARD_LIMITS,
  ) {
    this.#bytes = bytes;
    this.#requested = requested;
    this.#limits = limits;
  }

  /** Scans about so many further bytes. Returns whether the scan has ended. */
  // One loop over local variables: with a function for each token a scan takes three times as long.
  // eslint-disable-next-line complexity
  advance(maxBytes = this.#bytes.length): boolean {
    const bytes = this.#bytes;
    const open = this.#open;
    const { maxLevels, maxValues = Infinity } = this.#limits;
    const { length } = bytes;
    const stop = Math.min(length, this.#at + maxBytes);
    const shift = -bytes.byteOffset & 3;
    let words: Int32Array | undefined;
    let at = this.#at;
    let state = this.#state;
    let string = this.#string;
    let values = this.#values;
    let isObject = open[open.length - 1] === true;
    // The level of the parts that are requested.
    let requestedLevel = this.#frames.length;
    while (at < stop) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE || string !== -1) {
        if (string === -1) {
          if (state >= AFTER_NAME) return this.#unexpected(at);
          string = at;
          at += 1;
        }
        let end = at;
        while (end < stop) {
          const bytewise = Math.min(stop, end + BYTEWISE);
          while (end < bytewise && isPlain(bytes[end])) end += 1;
          if (end === bytewise) {
            if (end < stop) end = skipPlain((words ??= toWords(bytes)), shift, end, stop);
            continue;
          }
          const character = bytes[end] ?? 0;
          if (character === QUOTE) break;
          const after = character === BACKSLASH ? endOfEscape(bytes, end) : -1;
          if (after === -1) return this.#unexpected(end);
          end = after;
        }
        at = end;
        // The string continues in the next slice.
        if (end >= stop) break;
        at += 1;
        if (state === NAME || state === NAME_OR_END) {
          state = AFTER_NAME;
          if (open.length === requestedLevel) this.#name(string, at);
        } else {
          state = AFTER_VALUE;
          if (open.length === requestedLevel) this.#scalar(string, at, values);
        }
        string = -1;
      } else if (byte === COMMA) {
        if (state !== AFTER_VALUE || open.length === 0) return this.#unexpected(at);
        state = isObject ? NAME : VALUE;
        at += 1;
      } else if (byte === COLON) {
        if (state !== AFTER_NAME) return this.#unexpected(at);
        state = VALUE;
        at += 1;
        this.#names += 1;
        values += 1;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (state > VALUE_OR_END) return this.#unexpected(at);
        isObject = byte === OPEN_BRACE;
        if (open.length === requestedLevel) requestedLevel = this.#openPart(at, isObject, values);
        open.push(isObject);
        state = isObject ? NAME_OR_END : VALUE_OR_END;
        at += 1;
        values += 1;
        if (open.length > maxLevels)
          return this.#refuse({ code: 'json.too-deep', limit: maxLevels });
        if (values > maxValues)
          return this.#refuse({ code: 'json.too-many-values', limit: maxValues });
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        const isEnd = state === AFTER_VALUE || state === (isObject ? NAME_OR_END : VALUE_OR_END);
        if (!isEnd || open.length === 0 || isObject !== (byte === CLOSE_BRACE))
          return this.#unexpected(at);
        at += 1;
        state = AFTER_VALUE;
        open.pop();
        isObject = open[open.length - 1] === true;
        if (requestedLevel >= open.length) requestedLevel = this.#closePart(at, values);
      } else if (isKind(byte, SPACE)) at += 1;
      else {
        if (state > VALUE_OR_END) return this.#unexpected(at);
        const isNumber = byte === MINUS || isKind(byte, DIGIT);
        const end = isNumber ? endOfNumber(bytes, at) : endOfLiteral(bytes, at);
        if (end === -1) return this.#unexpected(at);
        if (end - at > MAX_NUMBER_BYTES) return this.#refuse({ code: 'json.long-number', at });
        state = AFTER_VALUE;
        if (open.length === requestedLevel) this.#scalar(at, end, values);
        at = end;
      }
    }
    this.#at = at;
    this.#state = state;
    this.#string = string;
    this.#values = values;
    if (Math.max(values, this.#places) > maxValues)
      return this.#refuse({ code: 'json.too-many-values', limit: maxValues });
    if (at < length) return false;
    if (state !== AFTER_VALUE || open.length > 0)
      return this.#refuse({ code: 'json.incomplete', at: length });
    return true;
  }

  /** A text, number or literal at the level of the requested parts. */
  #scalar(from: number, to: number, values: number): void {
    this.#beginPart(from, values);
    this.#endPart(to, values);
  }

  /** Begins a value that is the whole one, or a part of an array or object with requested parts. Returns what is requested of it. */
  #beginPart(from: number, values: number): RequestedParts | undefined {
    const frame = this.#frames[this.#frames.length - 1];
    const requested = frame === undefined ? this.#requested : frame.next;
    const isInRange = frame === undefined || countPart(frame);
    if (requested === undefined || !isInRange) return undefined;
    const slice = new Slice(from, frame?.name ?? '', frame?.nameFrom ?? -1);
    slice.names = this.#names;
    slice.values = values;
    this.#places += 1;
    if (frame === undefined) this.root = slice;
    else frame.part = slice;
    return requested;
  }

  /** Begins an array or object. Returns the level of the requested parts. */
  #openPart(from: number, isObject: boolean, values: number): number {
    const frames = this.#frames;
    const requested = this.#beginPart(from, values);
    const slice = this.#openSlice;
    if (requested === undefined || slice === undefined) return frames.length;
    const { members, elements } = requested;
    if (isObject && members !== undefined)
      slice.members = { __proto__: null } as unknown as Record<string, JsonSlice>;
    else if (elements !== undefined) slice.elements = [];
    else return frames.length;
    const next = isObject ? undefined : elements;
    const frame = { slice, requested, isObject, next, name: '', nameFrom: -1, part: undefined };
    return frames.push(frame);
  }

  /** Ends an array or object. Returns the level of the requested parts. */
  #closePart(to: number, values: number): number {
    const depth = this.#open.length;
    if (this.#frames.length > depth) this.#frames.pop();
    if (this.#frames.length === depth) this.#endPart(to, values);
    return this.#frames.length;
  }

  get #openSlice(): Slice | undefined {
    const frame = this.#frames[this.#frames.length - 1];
    return frame === undefined ? (this.root as Slice | undefined) : frame.part;
  }

  #endPart(to: number, values: number): void {
    const slice = this.#openSlice;
    if (slice === undefined) return;
    slice.to = to;
    slice.names = this.#names - slice.names;
    slice.values = values - slice.values;
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined) return;
    if (frame.slice.members !== undefined) frame.slice.members[slice.name] = slice;
    else frame.slice.elements?.push(slice);
    frame.part = undefined;
  }

  /** The name of a member of an object with requested parts. */
  #name(from: number, to: number): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame?.isObject !== true) return;
    const { members, elements } = frame.requested;
    const maxBytes = members === undefined ? Infinity : MAX_NAME_BYTES;
    frame.name = nameIn(this.#bytes, { from, to, maxBytes });
    frame.nameFrom = from;
    if (members === undefined) frame.next = elements;
    else frame.next = Object.hasOwn(members, frame.name) ? members[frame.name] : undefined;
  }

  #unexpected(at: number): true {
    return this.#refuse(
      at < this.#bytes.length ? { code: 'json.unexpected', at } : { code: 'json.incomplete', at },
    );
  }

  #refuse(problem: JsonProblem): true {
    this.problem = problem;
    this.root = undefined;
    return true;
  }
}

/** Counts the next part of an array or object, and returns whether its place is requested. */
const countPart = ({ slice, requested: { range } }: Frame): boolean => {
  const index = slice.length;
  slice.length += 1;
  return range === undefined || (index >= range[0] && index < range[1]);
};

/** Returns the name of a member; '' for one that is too long to be requested. */
const nameIn = (
  bytes: Uint8Array,
  { from, to, maxBytes }: { readonly from: number; readonly to: number; readonly maxBytes: number },
): string => {
  if (to - from > maxBytes) return '';
  let name = '';
  for (let at = from + 1; at < to - 1; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH || byte > 0x7f)
      return JSON.parse(Buffer.from(bytes.subarray(from, to)).toString('utf8')) as string;
    name += String.fromCharCode(byte);
  }
  return name;
};
