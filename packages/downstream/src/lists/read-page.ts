import { JsonScan, jsonProblemText, PARSED, RawObject, scanPaced, textIn } from '@gateway/mcp-wire';
import type { JsonSlice } from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import { getHeapStatistics } from 'node:v8';

/** The bounds of one page. */
export interface PageBounds {
  readonly maxListChars: number;
  readonly maxEntryChars: number;
}

/** An entry as it came, or why it is not parsed: the end of a sentence about it. */
export type PageEntry =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** One page of a list. Each entry is parsed when it is iterated over, so that a long list can be parsed in slices. */
export interface ListPage {
  readonly length: number;
  readonly nextCursor: unknown;
  readonly entries: Iterable<PageEntry>;
}

/** A page, or why it cannot be read. */
export type PageOutcome =
  { readonly ok: true; readonly page: ListPage } | { readonly ok: false; readonly reason: string };

const heapBytes = getHeapStatistics().heap_size_limit;

/** A list stays in memory as long as its server is connected, and twice while it is read again. */
const MAX_LIST_BYTES = Math.floor(heapBytes / 8);
const MAX_LIST_VALUES = Math.floor(heapBytes / 1_024);

const OPEN_BRACKET = 0x5b;

/** A character takes up to six bytes in JSON. */
const BYTES_PER_CHAR = 6;
/** Longer cursors are not parsed; they are refused by their length. */
const MAX_CURSOR_BYTES = 512 * 1024;

const refuse = (reason: string): PageOutcome => ({ ok: false, reason });

const noList = (key: string): PageOutcome => refuse(`the answer has no "${key}" list`);

function* entriesOfValue(list: readonly unknown[]): Iterable<PageEntry> {
  for (const value of list) yield { ok: true, value };
}

const pageOfValue = (result: JsonObject, key: string): PageOutcome => {
  const list = result[key];
  if (!Array.isArray(list)) return noList(key);
  const { length } = list;
  const { nextCursor } = result;
  return { ok: true, page: { length, nextCursor, entries: entriesOfValue(list) } };
};

const parsedAt = (bytes: Uint8Array, { from, to }: JsonSlice): unknown =>
  JSON.parse(textIn(bytes, from, to));

function* entriesOfText(
  bytes: Uint8Array,
  slices: readonly JsonSlice[],
  maxChars: number,
): Iterable<PageEntry> {
  for (const slice of slices) {
    const isTooLong = slice.to - slice.from > maxChars * BYTES_PER_CHAR;
    yield isTooLong || slice.values > PARSED.maxValues
      ? { ok: false, reason: `it is longer than ${maxChars} characters` }
      : { ok: true, value: parsedAt(bytes, slice) };
  }
}

const cursorAt = (bytes: Uint8Array, slice: JsonSlice | undefined): unknown => {
  if (slice === undefined) return undefined;
  const isLong = slice.to - slice.from > MAX_CURSOR_BYTES;
  return isLong ? textIn(bytes, slice.from, slice.to) : parsedAt(bytes, slice);
};

const pageOfBytes = async (
  bytes: Uint8Array,
  key: string,
  { maxListChars, maxEntryChars }: PageBounds,
): Promise<PageOutcome> => {
  const maxBytes = Math.min(MAX_LIST_BYTES, maxListChars * BYTES_PER_CHAR);
  if (bytes.length > maxBytes) return refuse(`more than ${maxBytes} bytes`);
  const members = { [key]: { elements: {} }, nextCursor: {} };
  const scan = new JsonScan(bytes, { members }, { ...PARSED, maxValues: MAX_LIST_VALUES });
  await scanPaced(scan);
  if (scan.problem !== undefined) return refuse(jsonProblemText(scan.problem));
  const found = scan.root?.members;
  const list = found?.[key];
  const slices = list?.elements;
  // The members of an object are elements too.
  if (slices === undefined || bytes[list?.from ?? 0] !== OPEN_BRACKET) return noList(key);
  const { length } = slices;
  const nextCursor = cursorAt(bytes, found?.['nextCursor']);
  return {
    ok: true,
    page: { length, nextCursor, entries: entriesOfText(bytes, slices, maxEntryChars) },
  };
};

/**
 * Returns a page of a list. An answer that came as text is scanned in slices and not parsed before its size and its values are known.
 *
 * @param key the member of the answer that contains the entries
 */
export const readPage = (
  result: RawObject | JsonObject,
  key: string,
  bounds: PageBounds,
): PageOutcome | Promise<PageOutcome> =>
  result instanceof RawObject ? pageOfBytes(result.bytes, key, bounds) : pageOfValue(result, key);
