import { setImmediate } from 'node:timers/promises';
import {
  type CallResult,
  type JsonObject,
  toObject,
  toObjects,
  toText,
} from '@gateway/call-contract';
import {
  decodeText,
  formatJson,
  JsonScan,
  type JsonSlice,
  parseJson,
  RawObject,
  type RequestedParts,
  scanInSlices,
} from '@gateway/mcp-wire';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;

const SCALARS: ReadonlyMap<number | undefined, string> = new Map([
  [QUOTE, 'string'],
  [0x74, 'boolean'],
  [0x66, 'boolean'],
  [0x6e, 'null'],
]);

const createShapeRequest = ([width, ...deeper]: readonly number[]): RequestedParts =>
  width === undefined ? {} : { elements: createShapeRequest(deeper), range: [0, width] };

/** The first members and items of each level. */
const SHAPE = createShapeRequest([32, 16, 16, 8]);

const MAX_SHAPE_BYTES = 1_500;
const MAX_NAME_CHARS = 64;
const PLAIN_NAME = /^[\w$-]+$/;

const formatMemberShape = (json: Uint8Array, member: JsonSlice): string => {
  const name = member.name.slice(0, MAX_NAME_CHARS);
  return `${PLAIN_NAME.test(name) ? name : JSON.stringify(name)}: ${formatShape(json, member)}`;
};

const formatShape = (json: Uint8Array, { from, elements, length }: JsonSlice): string => {
  const kind = json[from];
  if (kind === OPEN_BRACE) {
    if (elements === undefined) return '{…}';
    const members = elements.map((member) => formatMemberShape(json, member));
    if (length > members.length) members.push(`…${length - members.length} more`);
    return `{${members.join(', ')}}`;
  }
  if (kind === OPEN_BRACKET) {
    const [first] = elements ?? [];
    if (first !== undefined) return `[${length} × ${formatShape(json, first)}]`;
    return elements === undefined ? '[…]' : '[]';
  }
  return SCALARS.get(kind) ?? 'number';
};

/** Returns the keys, lengths and types of a JSON object or array, of whose items the first is shown; `undefined` for any other text. */
const readShape = async (text: Uint8Array): Promise<string | undefined> => {
  const scan = new JsonScan(text, SHAPE);
  await scanInSlices(scan);
  if (scan.root?.elements === undefined) return undefined;
  const shape = Buffer.from(formatShape(text, scan.root));
  const to = findBoundary(shape, MAX_SHAPE_BYTES);
  return decodeText(shape, 0, to) + (to < shape.length ? '…' : '');
};

/** Returns the last place at or before another that is not inside a character. */
const findBoundary = (text: Uint8Array, at: number): number => {
  let place = Math.min(at, text.length);
  while (place > 0 && ((text[place] ?? 0) & 0xc0) === 0x80) place -= 1;
  return place;
};

/** The longest character, in bytes. */
export const MAX_CHARACTER_BYTES = 4;

/** Returns the place of a page of a text (UTF-8): whole characters, and at least one where there is one. */
export const findPage = (
  text: Uint8Array,
  offset: number,
  limit: number,
): { readonly from: number; readonly to: number } => {
  const from = findBoundary(text, offset);
  const to = findBoundary(text, offset + limit);
  return { from, to: to > from ? to : findBoundary(text, from + MAX_CHARACTER_BYTES) };
};

/** An item of a result, with the text of it or of the resource in it. */
interface ResultItem {
  readonly item: JsonSlice;
  readonly place: JsonSlice | undefined;
  readonly text: Uint8Array;
}

/** Items that are read; a result with more is not cut. */
const MAX_ITEMS = 50_000;

const RESULT: RequestedParts = {
  members: {
    structuredContent: {},
    content: {
      elements: { members: { text: {}, resource: { members: { text: {} } } } },
      range: [0, MAX_ITEMS],
    },
  },
};

/** Bytes of a written text that are decoded in one turn of the event loop. */
const TURN_BYTES = 1024 * 1024;

/** The longest escape of a character: of one that JSON writes as a surrogate pair. */
const MAX_ESCAPE_BYTES = 12;
const BACKSLASH = 0x5c;
const LOW_SURROGATE = /^\\ud[c-f]/i;

/** Returns a place after `from` at which a written text can be split: not inside a character and its escape. */
const findSplit = (json: Uint8Array, from: number, at: number): number | undefined => {
  let place = json.lastIndexOf(BACKSLASH, at - 1);
  if (place < at - MAX_ESCAPE_BYTES) return findBoundary(json, at);
  for (; place > from; place = json.lastIndexOf(BACKSLASH, place - 1)) {
    let first = place;
    while (json[first - 1] === BACKSLASH) first -= 1;
    const isEscape = (place - first) % 2 === 0;
    if (isEscape && !LOW_SURROGATE.test(decodeText(json, place, place + 4))) return place;
  }
  return undefined;
};

/** Returns whether JSON text at a place is a string. */
export const isString = (json: Uint8Array, at: number): boolean => json[at] === QUOTE;

/** Decodes a string, a part in each turn of the event loop. */
export const decodeString = async (
  json: Uint8Array,
  { from, to }: Pick<JsonSlice, 'from' | 'to'>,
): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  const last = to - 1;
  for (let at = from + 1; at < last;) {
    const end = (at + TURN_BYTES < last ? findSplit(json, at, at + TURN_BYTES) : last) ?? last;
    parts.push(Buffer.from(JSON.parse(`"${decodeText(json, at, end)}"`) as string));
    if (end < last) await setImmediate();
    at = end;
  }
  return Buffer.concat(parts);
};

const NO_TEXT: Uint8Array = Buffer.alloc(0);

const readItem = async (json: Uint8Array, item: JsonSlice): Promise<ResultItem> => {
  const { text, resource } = item.members ?? {};
  const place = text ?? resource?.members?.['text'];
  return place !== undefined && isString(json, place.from)
    ? { item, place, text: await decodeString(json, place) }
    : { item, place: undefined, text: NO_TEXT };
};

/** Reads the items of a result one after the other; `undefined` when they are too many. */
const readItems = async (
  json: Uint8Array,
  content: JsonSlice | undefined,
): Promise<readonly ResultItem[] | undefined> => {
  if (content === undefined) return [];
  if (content.length > MAX_ITEMS) return undefined;
  const items: ResultItem[] = [];
  for (const item of content.elements ?? []) items.push(await readItem(json, item));
  return items;
};

const LINE_BREAK = Buffer.from('\n');

/** Returns the texts of the items, joined with line breaks. */
const joinTexts = (items: readonly ResultItem[]): Uint8Array => {
  const texts = items.flatMap(({ place, text }) => (place === undefined ? [] : [text, LINE_BREAK]));
  return Buffer.concat(texts.slice(0, -1));
};

/** Returns whether a result may have more bytes of text than this, from lengths alone. */
export const mayExceed = (result: CallResult, maxBytes: number): boolean => {
  if (result instanceof RawObject) return result.slice.to - result.slice.from > maxBytes;
  let bytes = 0;
  // A code unit has at most three bytes.
  for (const item of toObjects(result['content'])) bytes += 3 * toText(item['text']).length;
  return bytes > maxBytes;
};

/** Returns JSON text with other values at some places. */
const replaceValues = (
  json: Uint8Array,
  { from, to }: JsonSlice,
  replaced: readonly (readonly [place: JsonSlice | undefined, value: string])[],
): string => {
  const parts: string[] = [];
  let at = from;
  for (const [place, value] of replaced.toSorted(([a], [b]) => (a?.from ?? 0) - (b?.from ?? 0))) {
    if (place === undefined) continue;
    parts.push(decodeText(json, at, place.from), value);
    at = place.to;
  }
  return parts.join('') + decodeText(json, at, to);
};

/** Returns the items as JSON, with the first bytes of their texts; those of later texts are left out. */
const formatFirstItems = (
  json: Uint8Array,
  items: readonly ResultItem[],
  shown: Uint8Array,
): string => {
  const texts: string[] = [];
  let from = 0;
  for (const { item, place, text } of items) {
    if (place === undefined) texts.push(decodeText(json, item.from, item.to));
    else if (from < shown.length) {
      const to = from + text.length;
      const part = JSON.stringify(decodeText(shown, from, Math.min(to, shown.length)));
      texts.push(replaceValues(json, item, [[place, part]]));
      from = to + 1;
    }
  }
  return `[${texts.join()}]`;
};

/** A result that has too much text. */
interface LargeResult {
  readonly json: Uint8Array;
  readonly root: JsonSlice;
  readonly items: readonly ResultItem[];
  /** The texts of the items. */
  readonly text: Uint8Array;
  readonly structured: Uint8Array | undefined;
}

/** Reads a result whose texts together, or whose structured content, have more than this; `undefined` for any other. */
const readLargeResult = async (
  result: CallResult,
  maxBytes: number,
): Promise<LargeResult | undefined> => {
  const json = result instanceof RawObject ? result.bytes : Buffer.from(formatJson(result));
  const scan = new JsonScan(json, RESULT);
  await scanInSlices(scan);
  const { root } = scan;
  if (root === undefined) return undefined;
  const { content, structuredContent: place } = root.members ?? {};
  const items = await readItems(json, content);
  if (items === undefined) return undefined;
  const text = joinTexts(items);
  const structured = place && json.subarray(place.from, place.to);
  const isLarge = Math.max(text.length, structured?.length ?? 0) > maxBytes;
  return isLarge ? { json, root, items, text, structured } : undefined;
};

/** Returns the text, or structured content of which the text is not all, with its shape where it is JSON. */
const findDocument = async ({
  text,
  structured,
}: LargeResult): Promise<Pick<TruncatedResult, 'json' | 'shape'>> => {
  const shape = await readShape(text);
  const isText = shape !== undefined && text.length >= (structured?.length ?? 0);
  return isText || structured === undefined
    ? { json: isText ? text : undefined, shape }
    : { json: structured, shape: await readShape(structured) };
};

/** The first part of a result, and the whole texts that it had. */
export interface TruncatedResult {
  /** The result with the first bytes of its texts, and without structured content. */
  readonly result: JsonObject;
  /** The texts of its items, joined with line breaks. */
  readonly text: Uint8Array;
  /** The bytes of the text that are in the result. */
  readonly shownBytes: number;
  /** The text where it is JSON, otherwise the structured content. */
  readonly json: Uint8Array | undefined;
  readonly shape: string | undefined;
}

/**
 * Truncates a result whose texts together, or whose structured content, have more than `maxBytes`. Returns `undefined` for any other result,
 * and where the remaining members are too much to parse.
 */
export const truncateResult = async (
  result: CallResult,
  { maxBytes, shownBytes }: { readonly maxBytes: number; readonly shownBytes: number },
): Promise<TruncatedResult | undefined> => {
  const large = await readLargeResult(result, maxBytes);
  if (large === undefined) return undefined;
  const { json, root, items, text } = large;
  const shown = text.subarray(0, findPage(text, 0, Math.min(maxBytes, shownBytes)).to);
  const parsed = parseJson(
    replaceValues(json, root, [
      [root.members?.['content'], formatFirstItems(json, items, shown)],
      [root.members?.['structuredContent'], 'null'],
    ]),
  );
  if (!parsed.ok) return undefined;
  const { structuredContent: _dropped, ...rest } = toObject(parsed.value);
  return { result: rest, text, shownBytes: shown.length, ...(await findDocument(large)) };
};
