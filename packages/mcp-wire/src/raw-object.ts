import { JsonScan, jsonProblemText, type JsonSlice, type WantedParts } from './json-scan.ts';
import { PARSED, textIn, type ParsedJson } from './parse-json.ts';

type OpenRecord = Readonly<Record<string, unknown>>;

/** Members by name, as JSON text. */
export type MemberTexts = Readonly<Record<string, string>>;

const OPEN_BRACE = 0x7b;

/** Texts longer than this are no members that the gateway reads. */
const MAX_READ_CHARS = 1_024;

/**
 * A JSON object as the text that it came with: it is forwarded without being parsed. The members that were wanted are known, and can be
 * read, replaced and added; the rest keeps its bytes.
 */
export class RawObject {
  /** The place and the counts of the object as it came. */
  readonly slice: JsonSlice;
  /** The texts between known members, and those of the members. */
  readonly #parts: readonly string[];
  /** The parts of the known members. */
  readonly #known: ReadonlyMap<string, number>;

  private constructor(
    slice: JsonSlice,
    parts: readonly string[],
    known: ReadonlyMap<string, number>,
  ) {
    this.slice = slice;
    this.#parts = parts;
    this.#known = known;
  }

  /** Returns the object at a place of a scanned text; `undefined` when the value there is no object. The bytes are not used afterwards. */
  static at(bytes: Uint8Array, slice: JsonSlice): RawObject | undefined {
    if (bytes[slice.from] !== OPEN_BRACE) return undefined;
    const parts: string[] = [];
    const known = new Map<string, number>();
    let from = slice.from;
    for (const member of inOrder(slice.members)) {
      known.set(member.name, parts.push(textIn(bytes, from, member.from)));
      parts.push(textIn(bytes, member.from, member.to));
      from = member.to;
    }
    parts.push(textIn(bytes, from, slice.to));
    return new RawObject(slice, parts, known);
  }

  /** The JSON text. */
  get text(): string {
    return this.#parts.length === 1 ? (this.#parts[0] ?? '') : this.#parts.join('');
  }

  /** Returns the text of a known member; `undefined` when the object does not have it. */
  member(name: string): string | undefined {
    const part = this.#known.get(name);
    return part === undefined ? undefined : this.#parts[part];
  }

  /** Returns the value of a known member that is short, such as a flag or a word. */
  valueOf(name: string): unknown {
    const text = this.member(name);
    return text === undefined || text.length > MAX_READ_CHARS ? undefined : JSON.parse(text);
  }

  /** Returns the object with other or further members. */
  with(members: MemberTexts): RawObject {
    const parts = [...this.#parts];
    const added: string[] = [];
    for (const [name, text] of Object.entries(members)) {
      const part = this.#known.get(name);
      if (part === undefined) added.push(`${JSON.stringify(name)}:${text}`);
      else parts[part] = text;
    }
    if (added.length === 0) return new RawObject(this.slice, parts, this.#known);
    const rest = (parts[0] ?? '').slice(1);
    const isAlone = this.#known.size === 0 && /^\s*\}$/u.test(rest);
    parts[0] = `{${added.join(',')}${isAlone ? '' : ','}${rest}`;
    return new RawObject(this.slice, parts, this.#known);
  }

  /** Returns the parsed object, if the process can take it. */
  parse(): ParsedJson<OpenRecord> {
    const { from, to, values } = this.slice;
    const { maxBytes, maxValues } = PARSED;
    if (to - from > maxBytes)
      return { ok: false, problem: { code: 'json.too-large', limit: maxBytes } };
    if (values > maxValues)
      return { ok: false, problem: { code: 'json.too-many-values', limit: maxValues } };
    return { ok: true, value: JSON.parse(this.text) as OpenRecord };
  }
}

const inOrder = (members: JsonSlice['members']): readonly JsonSlice[] =>
  members === undefined
    ? []
    : Object.values(members).sort((first, second) => first.from - second.from);

/** The texts of values that were parsed, as long as the values exist. */
const keptTexts = new WeakMap<object, string>();

/** Keeps the text that a value was parsed from. The value must not change afterwards. */
export const keepText = <T extends object>(value: T, text: string): T => {
  keptTexts.set(value, text);
  return value;
};

/** Returns the text that a value was parsed from, where it is known. */
export const keptText = (value: object): string | undefined => keptTexts.get(value);

/** Returns a short member of an object: of text, a known one. */
export const memberOf = (object: RawObject | OpenRecord, name: string): unknown => {
  if (object instanceof RawObject) return object.valueOf(name);
  return Object.hasOwn(object, name) ? object[name] : undefined;
};

/** Returns the JSON text of a value: the one that it was parsed from where that is known. */
export function jsonText(value: object): string;
export function jsonText(value: unknown): string | undefined;
export function jsonText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof RawObject) return value.text;
  return keptTexts.get(value) ?? JSON.stringify(value);
}

/** Returns the JSON text of an object whose members, down to a level, may have texts of their own. */
export const objectText = (value: OpenRecord, levels = 1): string => {
  const members: string[] = [];
  for (const name of Object.keys(value)) {
    const text = levels > 1 ? innerText(value[name], levels - 1) : jsonText(value[name]);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
};

const innerText = (value: unknown, levels: number): string | undefined => {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain || value instanceof RawObject || keptTexts.has(value)) return jsonText(value);
  return objectText(value as OpenRecord, levels);
};

/** Returns JSON text as one line: it may have line breaks between its tokens, which would end an event or a message. */
export const oneLine = (json: string): string =>
  json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/gu, ' ') : json;

/** A change of the members of an object. */
export interface MemberChange {
  readonly remove?: (name: string) => boolean;
  /** Further members as text; they take the place of those that have their names. */
  readonly add?: MemberTexts;
}

const ALL_MEMBERS: WantedParts = { elements: {} };

/** Changes the members of the text of an object. All other bytes stay. For objects that are small or bounded already. */
export const changeMembers = (text: string, { remove, add = {} }: MemberChange): string => {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(bytes, ALL_MEMBERS);
  scan.advance();
  const { root } = scan;
  if (root?.elements === undefined || bytes[root.from] !== OPEN_BRACE)
    throw new TypeError(
      scan.problem === undefined ? 'it is no object' : jsonProblemText(scan.problem),
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
