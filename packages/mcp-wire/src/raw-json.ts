import { getHeapStatistics } from 'node:v8';
import {
  JsonScan,
  type JsonLimits,
  type JsonProblem,
  formatJsonProblem,
  type JsonSlice,
  type RequestedParts,
} from './json-scan.ts';

/** The bounds of a text that is parsed. */
export interface ParseLimits extends JsonLimits {
  readonly maxBytes: number;
  readonly maxValues: number;
}

/** A parsed value has up to 16 times the size of its text (`1,1,1`, counted twice while it is read); a quarter of the heap is for one. */
const HEAP_BYTES_PER_BYTE = 64;

/** A member, object or array occupies up to 256 bytes; an eighth of the heap is for one text. */
const HEAP_BYTES_PER_VALUE = 2_048;

/** However large the heap is: a parser needs up to 5 µs for a member. */
const MAX_VALUES = 250_000;
const MAX_BYTES = 32 * 1024 * 1024;

const heapBytes = getHeapStatistics().heap_size_limit;

/** The bounds of a text that a server or another peer sent and that this process parses; they follow the limit of its heap. */
export const PARSE_LIMITS: ParseLimits = {
  maxLevels: 1_000,
  maxBytes: Math.min(MAX_BYTES, Math.floor(heapBytes / HEAP_BYTES_PER_BYTE)),
  maxValues: Math.min(MAX_VALUES, Math.floor(heapBytes / HEAP_BYTES_PER_VALUE)),
};

/** A parsed text, or why it was not parsed. */
export type ParsedJson<T = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: JsonProblem };

/** A text of fewer bytes than this cannot have more values or levels than any limit permits. */
const computeSmallestLimit = ({ maxLevels, maxValues }: ParseLimits): number =>
  Math.min(maxLevels, maxValues);

/** Parses JSON text after its values were counted, so that no text can exhaust the memory of the process. */
export const parseJson = (
  text: string | Uint8Array,
  limits: ParseLimits = PARSE_LIMITS,
): ParsedJson => {
  if (text.length > limits.maxBytes)
    return { ok: false, problem: { code: 'json.too-large', limit: limits.maxBytes } };
  if (text.length > computeSmallestLimit(limits)) {
    const scan = new JsonScan(
      typeof text === 'string' ? Buffer.from(text) : text,
      undefined,
      limits,
    );
    scan.advance();
    if (scan.problem !== undefined) return { ok: false, problem: scan.problem };
  }
  try {
    const parsed = typeof text === 'string' ? text : decodeText(text);
    return { ok: true, value: JSON.parse(parsed) as unknown };
  } catch {
    return { ok: false, problem: { code: 'json.unexpected', at: 0 } };
  }
};

/** Returns the text of bytes (UTF-8) without copying them first. */
export const decodeText = (bytes: Uint8Array, from = 0, to = bytes.length): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');

type OpenRecord = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object: `isJsonObject` of `call-contract`, which imports this package. */
export const isObject = (value: unknown): value is OpenRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members by name, as JSON text. */
export type MemberTexts = Readonly<Record<string, string>>;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Texts longer than this are no members that the gateway reads. */
const MAX_READ_CHARS = 1_024;

/** An object of at least this size is written as the bytes that it came with: to decode and encode it takes longer. */
const LARGE_BYTES = 16 * 1024;

/** A text of which parts may be bytes. */
type Segments = readonly (string | Uint8Array)[];

const NO_CHANGES: ReadonlyMap<string, Segments> = new Map();

/** A text, or the parts of a large one as bytes. */
export type LongText = string | readonly Uint8Array[];

/** Returns a text that may be in parts. */
export const joinText = (text: LongText): string =>
  typeof text === 'string' ? text : decodeText(Buffer.concat(text));

/** Returns the bytes of a text. */
export const countBytes = (text: LongText): number =>
  typeof text === 'string'
    ? Buffer.byteLength(text)
    : text.reduce((sum, { length }) => sum + length, 0);

const toBytes = (part: string | Uint8Array): Uint8Array =>
  typeof part === 'string' ? Buffer.from(part) : part;

const joinSegments = (segments: Segments): string =>
  segments.map((part) => (typeof part === 'string' ? part : decodeText(part))).join('');

/**
 * A JSON object as the bytes that it came with: it is forwarded without being parsed. The members that were requested can be read, replaced
 * and added; the rest keeps its bytes.
 */
export class RawObject {
  /** The place and the counts of the object as it came. */
  readonly slice: JsonSlice;
  readonly #source: Uint8Array;
  /** The texts of replaced and added members. */
  readonly #changes: ReadonlyMap<string, Segments>;

  private constructor(
    source: Uint8Array,
    slice: JsonSlice,
    changes: ReadonlyMap<string, Segments> = NO_CHANGES,
  ) {
    this.#source = source;
    this.slice = slice;
    this.#changes = changes;
  }

  /** Returns the object at a place of a scanned text; `undefined` when the value there is no object. The bytes must not change afterwards. */
  static at(bytes: Uint8Array, slice: JsonSlice): RawObject | undefined {
    return bytes[slice.from] === OPEN_BRACE ? new RawObject(bytes, slice) : undefined;
  }

  /** The JSON text. */
  get text(): string {
    const { from, to } = this.slice;
    if (this.#changes.size === 0) return decodeText(this.#source, from, to);
    return joinSegments(this.#segments());
  }

  /** The JSON text as bytes. */
  get bytes(): Uint8Array {
    const { from, to } = this.slice;
    return this.#changes.size === 0
      ? this.#source.subarray(from, to)
      : Buffer.concat(this.#segments().map(toBytes));
  }

  /** Returns the text between two others: as parts when it is large. */
  between(before: string, after: string): LongText {
    const isLarge = this.slice.to - this.slice.from >= LARGE_BYTES;
    if (!isLarge) return `${before}${this.text}${after}`;
    return [before, ...this.#segments(), after].map(toBytes);
  }

  /** Returns the text of a requested member; `undefined` when the object does not have it. */
  member(name: string): string | undefined {
    const segments = this.#member(name);
    return segments === undefined ? undefined : joinSegments(segments);
  }

  /** Returns whether a requested member is an object; `undefined` when there is none. */
  hasObject(name: string): boolean | undefined {
    const first = this.#member(name)?.[0];
    if (first === undefined) return undefined;
    return typeof first === 'string' ? first.startsWith('{') : first[0] === OPEN_BRACE;
  }

  /** Returns the value of a requested member that is short, such as a flag or a word. */
  valueOf(name: string): unknown {
    const member = this.slice.members?.[name];
    if (member !== undefined && member.to - member.from > MAX_READ_CHARS) return undefined;
    const text = this.member(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Returns the object with other or further members. */
  with(members: MemberTexts): RawObject {
    const changes = new Map(this.#changes);
    for (const [name, text] of Object.entries(members)) changes.set(name, [text]);
    return new RawObject(this.#source, this.slice, changes);
  }

  /** Returns the object with a text before and after the value of a requested member, whose bytes are not decoded. */
  wrap(name: string, before: string, after: string): RawObject {
    const segments = this.#member(name);
    if (segments === undefined) return this;
    const changes = new Map(this.#changes).set(name, [before, ...segments, after]);
    return new RawObject(this.#source, this.slice, changes);
  }

  /** Returns the parsed object, if the process can take it. */
  parse(): ParsedJson<OpenRecord> {
    const { from, to, values } = this.slice;
    const { maxBytes, maxValues } = PARSE_LIMITS;
    if (to - from > maxBytes)
      return { ok: false, problem: { code: 'json.too-large', limit: maxBytes } };
    if (values > maxValues)
      return { ok: false, problem: { code: 'json.too-many-values', limit: maxValues } };
    return { ok: true, value: JSON.parse(this.text) as OpenRecord };
  }

  #member(name: string): Segments | undefined {
    const changed = this.#changes.get(name);
    if (changed !== undefined) return changed;
    const member = this.slice.members?.[name];
    return member === undefined ? undefined : [this.#source.subarray(member.from, member.to)];
  }

  /** The changed parts, and the others as they came. */
  #segments(): Segments {
    const { from: start, to, members = {} } = this.slice;
    const added: string[] = [];
    const replaced: JsonSlice[] = [];
    for (const [name, change] of this.#changes) {
      const member = members[name];
      if (member === undefined) added.push(`${JSON.stringify(name)}:${joinSegments(change)}`);
      else replaced.push(member);
    }
    const segments: (string | Uint8Array)[] = [];
    let from = start;
    if (added.length > 0) {
      const isAlone = this.#source[skipSpace(this.#source, start + 1)] === CLOSE_BRACE;
      segments.push(`{${added.join(',')}${isAlone ? '' : ','}`);
      from += 1;
    }
    for (const member of replaced.sort((first, second) => first.from - second.from)) {
      const change = this.#changes.get(member.name) ?? [];
      segments.push(this.#source.subarray(from, member.from), ...change);
      from = member.to;
    }
    segments.push(this.#source.subarray(from, to));
    return segments;
  }
}

const skipSpace = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (SPACES.has(bytes[at] ?? 0)) at += 1;
  return at;
};

const SPACES: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r'));

/** The texts of values that were parsed, as long as the values exist. */
const keptTexts = new WeakMap<object, string>();

/** Stores the source text of a parsed value. The value must not change afterwards. */
export const storeSourceText = <T extends object>(value: T, text: string): T => {
  keptTexts.set(value, text);
  return value;
};

/** Returns the source text of a parsed value, if stored. */
export const findSourceText = (value: object): string | undefined => keptTexts.get(value);

/** Returns a short member of an object: of text, a known one. */
export const readMember = (object: RawObject | OpenRecord, name: string): unknown => {
  if (object instanceof RawObject) return object.valueOf(name);
  return Object.hasOwn(object, name) ? object[name] : undefined;
};

/** Returns whether a result requests input from the caller, who then repeats the request. MCP 2026-07-28, multi round-trip requests */
export const isInputRequired = (result: RawObject | OpenRecord): boolean =>
  readMember(result, 'resultType') === 'input_required';

/** Returns the JSON text of a value: its source text where that is known. */
export function formatJson(value: object): string;
export function formatJson(value: unknown): string | undefined;
export function formatJson(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof RawObject) return value.text;
  return keptTexts.get(value) ?? JSON.stringify(value);
}

/** Returns the JSON text of an object whose members, down to a level, may have texts of their own. */
export const formatObject = (value: OpenRecord, levels = 1): string => {
  const members: string[] = [];
  for (const name of Object.keys(value)) {
    const text = levels > 1 ? formatInnerValue(value[name], levels - 1) : formatJson(value[name]);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
};

const formatInnerValue = (value: unknown, levels: number): string | undefined => {
  if (!isObject(value) || value instanceof RawObject || keptTexts.has(value))
    return formatJson(value);
  return formatObject(value, levels);
};

/** Returns JSON text as one line: it may have line breaks between its tokens, which would end an event or a message. */
export const toOneLine = (json: string): string =>
  json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/gu, ' ') : json;

/** A change of the members of an object. */
export interface MemberChange {
  readonly remove?: (name: string) => boolean;
  /** Further members as text; they take the place of those that have their names. */
  readonly add?: MemberTexts;
}

const ALL_MEMBERS: RequestedParts = { elements: {} };

/** Changes the members of the text of an object. All other bytes stay. For objects that are small or bounded already. */
export const changeMembers = (text: string, { remove, add = {} }: MemberChange): string => {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(bytes, ALL_MEMBERS);
  scan.advance();
  const { root } = scan;
  if (root?.elements === undefined || bytes[root.from] !== OPEN_BRACE)
    throw new TypeError(
      scan.problem === undefined ? 'it is no object' : formatJsonProblem(scan.problem),
    );
  const members = root.elements;
  const kept: string[] = [];
  let from = root.from + 1;
  for (const [index, { name, to }] of members.entries()) {
    // Each member with the white space around it, up to the comma.
    const end = index + 1 === members.length ? root.to - 1 : bytes.indexOf(',', to);
    if (!Object.hasOwn(add, name) && remove?.(name) !== true)
      kept.push(bytes.toString('utf8', from, end));
    from = end + 1;
  }
  for (const [name, value] of Object.entries(add)) kept.push(`${JSON.stringify(name)}:${value}`);
  return `{${kept.join(',')}}`;
};

/** Id of a JSON-RPC request, as MCP allows it. */
export type RpcId = string | number;

/** Returns whether a value is the id of a request. */
export const isRpcId = (value: unknown): value is RpcId =>
  typeof value === 'string' || typeof value === 'number';

/** Returns the id of a message when it can be sent back; otherwise `null`, as JSON-RPC requires. */
export const readRpcId = (message: unknown): RpcId | null => {
  const id = isObject(message) && Object.hasOwn(message, 'id') ? message['id'] : null;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null;
};

/** Returns a response with a serialised result: in parts when it is large. */
export const formatResult = (id: RpcId, result: string | RawObject): LongText => {
  const head = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
  return typeof result === 'string' ? `${head}${result}}` : result.between(head, '}');
};

/** Returns an error response as text; `null` is the id of a request whose id could not be read. */
export const formatErrorMessage = (
  id: RpcId | null,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): string => JSON.stringify({ jsonrpc: '2.0', id, error });

/** Returns a notification as text. */
export const formatNotification = (method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) });

/** Returns a notification as text; `undefined` when its parameters cannot be written as JSON. */
export const tryFormatNotification = (method: string, params: object): string | undefined => {
  try {
    return formatNotification(method, params);
  } catch {
    return undefined;
  }
};

/** Returns a request as text. Parameters may contain serialised JSON. */
export const formatRequest = (id: RpcId, method: string, params: object): string =>
  formatObject({ jsonrpc: '2.0', id, method, params });
