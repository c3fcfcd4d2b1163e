import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  formatJsonProblem,
  JsonScan,
  type JsonSlice,
  PARSE_LIMITS,
  type RawObject,
  scanInSlices,
  decodeText,
  type ListMethod,
} from '@gateway/mcp-wire';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { DownstreamBounds } from '../wire/limits.ts';
import {
  INPUT_REQUIRED,
  type RequestFailure,
  type RequestOutcome,
  formatSessionReason,
} from '../wire/request-outcome.ts';
import { toDisplayEntry, toDisplayText, type EntryBounds, type ParsedEntry } from './list-entry.ts';

const SLICE_MS = 5;

/** Processes the items in order and yields to the event loop every 5 ms, so that long lists do not delay other requests. */
export const runSlices = async <T>(
  items: Iterable<T>,
  work: (item: T, index: number) => void,
): Promise<void> => {
  let since = performance.now();
  let index = 0;
  for (const item of items) {
    work(item, index);
    index += 1;
    if (performance.now() - since < SLICE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
};

type PageEntry =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** A page, or why it cannot be read. Each entry is parsed when it is iterated over, so that a long list can be parsed in slices. */
type PageOutcome =
  | {
      readonly ok: true;
      readonly length: number;
      readonly nextCursor: unknown;
      readonly entries: Iterable<PageEntry>;
    }
  | { readonly ok: false; readonly reason: string };

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

const parseSlice = (bytes: Uint8Array, { from, to }: JsonSlice): unknown =>
  JSON.parse(decodeText(bytes, from, to));

function* parseSlices(
  bytes: Uint8Array,
  slices: readonly JsonSlice[],
  maxChars: number,
): Iterable<PageEntry> {
  for (const slice of slices) {
    const isTooLong = slice.to - slice.from > maxChars * BYTES_PER_CHAR;
    yield isTooLong || slice.values > PARSE_LIMITS.maxValues
      ? { ok: false, reason: `it is longer than ${maxChars} characters` }
      : { ok: true, value: parseSlice(bytes, slice) };
  }
}

const parseCursor = (bytes: Uint8Array, slice: JsonSlice | undefined): unknown => {
  if (slice === undefined) return undefined;
  const isLong = slice.to - slice.from > MAX_CURSOR_BYTES;
  return isLong ? decodeText(bytes, slice.from, slice.to) : parseSlice(bytes, slice);
};

/** Returns a page of a list. The answer is scanned in slices and not parsed before its size and its values are known. */
const readPage = async (
  { bytes }: RawObject,
  key: string,
  { maxListChars, maxEntryChars }: ListSource['bounds'],
): Promise<PageOutcome> => {
  const maxBytes = Math.min(MAX_LIST_BYTES, maxListChars * BYTES_PER_CHAR);
  if (bytes.length > maxBytes) return refuse(`more than ${maxBytes} bytes`);
  const members = { [key]: { elements: {} }, nextCursor: {} };
  const scan = new JsonScan(bytes, { members }, { ...PARSE_LIMITS, maxValues: MAX_LIST_VALUES });
  await scanInSlices(scan);
  if (scan.problem !== undefined) return refuse(formatJsonProblem(scan.problem));
  const found = scan.root?.members;
  const list = found?.[key];
  const slices = list?.elements;
  // The members of an object are elements too.
  if (slices === undefined || bytes[list?.from ?? 0] !== OPEN_BRACKET)
    return refuse(`the answer has no "${key}" list`);
  return {
    ok: true,
    length: slices.length,
    nextCursor: parseCursor(bytes, found?.['nextCursor']),
    entries: parseSlices(bytes, slices, maxEntryChars),
  };
};

/** An entry that is left out of a list, and why: the end of a sentence about it. */
export interface OmittedEntry {
  readonly entry: string;
  readonly reason: string;
}

export interface ListKind<T> {
  readonly method: ListMethod;
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  readonly id: 'name' | 'uri' | 'uriTemplate';
  /** A member of an entry, besides its title and description, that only readers use. */
  readonly label?: 'name';
  readonly parse: (entry: JsonObject) => ParsedEntry<T>;
}

type AskPage = (
  method: string,
  params: Readonly<Record<string, unknown>>,
) => Promise<RequestOutcome>;

export interface ListSource {
  readonly ask: AskPage;
  /** An empty cursor is a cursor (2026-07-28). In the 2025 revisions it is the end. */
  readonly isModern: boolean;
  readonly bounds: EntryBounds &
    Pick<DownstreamBounds, 'maxListPages' | 'maxListItems' | 'maxListChars'>;
}

export type ListOutcome<T> =
  | {
      readonly ok: true;
      readonly items: readonly T[];
      readonly chars: number;
      readonly omitted: number;
      readonly first: readonly OmittedEntry[];
      readonly cut?: string;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly rpcCode?: number;
      readonly httpStatus?: number;
      /** The entries of the pages before the failure; absent when there are none. */
      readonly items?: readonly T[];
    };

const MAX_NAMED = 20;
const MAX_NAME_CHARS = 64;
/** A longer cursor would take more memory than the list. */
const MAX_CURSOR_CHARS = 64 * 1024;

type Unread = Extract<ListOutcome<never>, { ok: false }>;

const formatReadFailure = (method: string, failure: RequestFailure): string => {
  switch (failure.kind) {
    case 'timeout':
      return `${method} was not answered within ${failure.timeoutMs} ms`;
    case 'cancelled':
      return `${method} was not answered in time`;
    case 'refused':
      return `${method}: ${failure.message}`;
    case 'input-required':
      return `${method}: ${INPUT_REQUIRED}`;
    case 'session-refused':
      return `${method}: ${formatSessionReason(failure)}`;
    case 'lost':
    case 'unauthorized':
    case 'not-given':
      return `${method}: ${failure.reason}`;
    case 'invalid':
      // The reason may name the method.
      return failure.reason.startsWith(`${method} `)
        ? failure.reason
        : `${method}: ${failure.reason}`;
  }
};

const createReadFailure = (method: string, failure: RequestFailure): Unread => {
  const reason = formatReadFailure(method, failure);
  if (failure.kind === 'refused') return { ok: false, reason, rpcCode: failure.rpcCode };
  return failure.kind === 'lost' && failure.httpStatus !== undefined
    ? { ok: false, reason, httpStatus: failure.httpStatus }
    : { ok: false, reason };
};

const formatEntryName = (entry: unknown, id: ListKind<unknown>['id'], index: number): string => {
  const name = isJsonObject(entry) ? entry[id] : undefined;
  if (typeof name !== 'string' || name === '') return `entry ${index + 1}`;
  const line = toDisplayText(name.slice(0, MAX_NAME_CHARS * 2), MAX_NAME_CHARS * 2);
  return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS - 3)}...` : line;
};

/** The next page, or why there is none although the server names one. */
type NextPage =
  | { readonly kind: 'end' }
  | { readonly kind: 'cursor'; readonly cursor: string }
  | { readonly kind: 'unusable'; readonly reason: string };

const parseNextCursor = (next: unknown, isModern: boolean): NextPage => {
  // Servers write the absence of a cursor as `null`, which can mean nothing else.
  if (next === undefined || next === null || (next === '' && !isModern)) return { kind: 'end' };
  if (typeof next !== 'string') {
    const type = Array.isArray(next) ? 'array' : typeof next;
    return { kind: 'unusable', reason: `nextCursor is of type ${type}, not string` };
  }
  return next.length > MAX_CURSOR_CHARS
    ? { kind: 'unusable', reason: `nextCursor is longer than ${MAX_CURSOR_CHARS} characters` }
    : { kind: 'cursor', cursor: next };
};

class ReadEntries<T> {
  readonly items: T[] = [];
  readonly first: OmittedEntry[] = [];
  omitted = 0;
  chars = 0;
  readonly #kind: ListKind<T>;
  readonly #bounds: EntryBounds;
  readonly #ids = new Set<unknown>();

  constructor(kind: ListKind<T>, bounds: EntryBounds) {
    this.#kind = kind;
    this.#bounds = bounds;
  }

  get count(): number {
    return this.items.length + this.omitted;
  }

  add(entry: PageEntry): void {
    const outcome = this.#parse(entry);
    if (outcome.ok) {
      this.items.push(outcome.item);
      return;
    }
    if (this.first.length < MAX_NAMED)
      this.first.push({
        entry: formatEntryName(entry.ok ? entry.value : undefined, this.#kind.id, this.count),
        reason: outcome.reason,
      });
    this.omitted += 1;
  }

  #parse(entry: PageEntry): ParsedEntry<T> {
    if (!entry.ok) return entry;
    if (!isJsonObject(entry.value)) return { ok: false, reason: 'it is not an object' };
    const shown = toDisplayEntry(entry.value, this.#bounds, this.#kind.label);
    this.chars += shown.chars;
    if (!shown.ok) return shown;
    const parsed = this.#kind.parse(shown.entry);
    return parsed.ok ? this.#refuseRepeated(parsed) : parsed;
  }

  #refuseRepeated(parsed: Extract<ParsedEntry<T>, { ok: true }>): ParsedEntry<T> {
    const { id } = this.#kind;
    const value = (parsed.item as Readonly<Record<typeof id, unknown>>)[id];
    if (this.#ids.has(value)) return { ok: false, reason: `its ${id} was listed before` };
    this.#ids.add(value);
    return parsed;
  }
}

/** Reads all pages of a list within the bounds. Unusable entries are omitted and named. The pages before an error are returned with it. */
export const readList = async <T>(
  kind: ListKind<T>,
  { ask, isModern, bounds }: ListSource,
): Promise<ListOutcome<T>> => {
  const entries = new ReadEntries(kind, bounds);
  const endWith = (failure: Unread): ListOutcome<T> =>
    entries.items.length === 0 ? failure : { ...failure, items: entries.items };
  const refuse = (reason: string): ListOutcome<T> =>
    endWith({ ok: false, reason: `${kind.method}: ${reason}` });
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < bounds.maxListPages; count += 1) {
    const outcome = await ask(kind.method, cursor === undefined ? {} : { cursor });
    if (!outcome.ok) return endWith(createReadFailure(kind.method, outcome.failure));
    const page = await readPage(outcome.result, kind.key, bounds);
    if (!page.ok) return refuse(page.reason);
    if (entries.count + page.length > bounds.maxListItems)
      return refuse(`more than ${bounds.maxListItems} entries`);
    await runSlices(page.entries, (entry) => entries.add(entry));
    if (entries.chars > bounds.maxListChars)
      return {
        ok: false,
        reason: `${kind.method}: more than ${bounds.maxListChars} characters`,
      };
    const { items, omitted, first, chars } = entries;
    const next = parseNextCursor(page.nextCursor, isModern);
    if (next.kind === 'end') return { ok: true, items, chars, omitted, first };
    if (next.kind === 'unusable') {
      const cut = `${kind.method}: the list ends at page ${count + 1}, because its ${next.reason}`;
      return { ok: true, items, chars, omitted, first, cut };
    }
    if (cursors.has(next.cursor)) return refuse('a cursor is repeated');
    cursors.add(next.cursor);
    cursor = next.cursor;
  }
  return refuse(`more than ${bounds.maxListPages} pages`);
};
