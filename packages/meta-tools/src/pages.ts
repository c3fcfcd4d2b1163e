import type { CallResult, JsonObject } from '@gateway/call-contract';
import { compileGlob, toPage } from '@gateway/catalog';
import { countBytes } from '@gateway/mcp-wire';
import { createJsonResult, createRefusalResult, createTextResult } from './contract/result.ts';
import {
  createCountArgument,
  createFlagArgument,
  createOptionalCountArgument,
  createOptionalTextArgument,
  type ArgumentValues,
} from './define-meta-tool.ts';
import { type MetaToolContext, listToolsetItems } from './scope/toolset-scope.ts';

/** The default number of entries on a page of `filter_*`. */
const DEFAULT_PAGE_LIMIT = 5;

/** The paging arguments that all `filter_*` meta-tools share. */
export const pageArguments = {
  limit: createCountArgument(1, DEFAULT_PAGE_LIMIT),
  offset: createCountArgument(0),
} as const;

/** The paging arguments of `list_tools`, `list_resources` and `list_prompts`. */
export const listArguments = {
  limit: createOptionalCountArgument(1),
  offset: pageArguments.offset,
} as const;

const wholeNumber: JsonObject = { type: 'integer', minimum: 0 };

type ListName = 'tools' | 'resources' | 'prompts';

/** The most bytes of the text of a list without `limit`. */
const MAX_LIST_BYTES = 32 * 1024;

/** The most servers that a list counts the entries of. */
const MAX_COUNTED_SERVERS = 100;

const counts: JsonObject = { type: 'object', additionalProperties: wholeNumber };

/** Returns the JSON Schema of a page of a list, with the other members of its answer. */
export const listResultSchema = (
  list: ListName,
  entry: JsonObject,
  more: JsonObject = {},
): JsonObject => ({
  type: 'object',
  properties: {
    [list]: { type: 'array', items: entry },
    total: { ...wholeNumber, description: 'All entries before paging' },
    truncated: { type: 'boolean', description: 'More entries follow this page' },
    next_offset: { ...wholeNumber, description: 'The offset of the next page, when more follow' },
    servers: {
      ...counts,
      description: 'Entries by server or family, when more follow the first page without limit',
    },
    more_servers: {
      ...wholeNumber,
      description: 'Servers with fewer entries that are not counted',
    },
    ...more,
  },
  required: [list, 'total', 'truncated'],
  additionalProperties: false,
});

/** Returns the JSON Schema of a list that is an array when it is whole, and a page otherwise. */
export const createWholeOrPageSchema = (list: ListName, entry: JsonObject): JsonObject => ({
  anyOf: [{ type: 'array', items: entry }, listResultSchema(list, entry)],
});

/** JSON Schema of the number of entries of each kind, when more follow the first page. */
export const kindCounts: JsonObject = { ...counts, description: 'Tools by kind, like servers' };

/** An entry of a list, as far as it is counted. */
interface ListedItem {
  readonly server?: string | undefined;
  readonly kind?: string;
}

const countBy = <T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): readonly (readonly [key: string, count: number])[] => {
  const found = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) found.set(key, (found.get(key) ?? 0) + 1);
  }
  return [...found].toSorted(([, a], [, b]) => b - a);
};

/** Returns how many entries each server has, those with the most first, and how many are of each kind. */
const countEntries = (items: readonly ListedItem[]): JsonObject => {
  const servers = countBy(items, ({ server }) => server);
  const kinds = countBy(items, ({ kind }) => kind);
  return {
    servers: Object.fromEntries(servers.slice(0, MAX_COUNTED_SERVERS)),
    ...(servers.length > MAX_COUNTED_SERVERS && {
      more_servers: servers.length - MAX_COUNTED_SERVERS,
    }),
    ...(kinds.length > 0 && { kinds: Object.fromEntries(kinds) }),
  };
};

/** The entries of a page: their number, and the JSON of their array. */
interface WrittenEntries {
  readonly count: number;
  readonly json: string;
}

/** Writes the first entries that fit in a number of bytes, and at least one. */
const writeWithin = (entries: Iterable<object>, maxBytes: number): WrittenEntries => {
  const texts: string[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    bytes += countBytes(text) + 1;
    if (bytes > maxBytes && texts.length > 0) break;
    texts.push(text);
  }
  return { count: texts.length, json: `[${texts.join(',')}]` };
};

/** A list of the catalog: its entries as they are shown, and the other members of its answer. */
interface Listing<T> {
  readonly list: ListName;
  readonly all: readonly T[];
  readonly entryOf: (item: T) => object;
  readonly more?: JsonObject;
  /** A whole list is the array of its entries, unless a page is requested. */
  readonly isArray?: boolean;
}

/**
 * Answers a list: a requested `limit` in full, otherwise a page of at most `pageSize` entries (0: all) and 32 KB. The first of several pages
 * counts the entries of each server.
 */
export const createListResult = <T extends ListedItem>(
  { list, all, entryOf, more, isArray = false }: Listing<T>,
  { limit, offset }: ArgumentValues<typeof listArguments>,
  { pageSize }: Pick<MetaToolContext, 'pageSize'>,
): CallResult => {
  const isBounded = limit === undefined && pageSize > 0;
  const shape = isBounded && offset === 0 ? countEntries(all) : undefined;
  const describePage = (end: number): JsonObject => ({
    total: all.length,
    truncated: end < all.length,
    ...(end < all.length && { next_offset: end, ...shape }),
    ...more,
  });
  const { items } = toPage(all, { limit: limit ?? (pageSize || all.length), offset });
  const entries = items.map(entryOf);
  const longest = JSON.stringify({ [list]: [], ...describePage(all.length - 1) });
  const { count, json } = isBounded
    ? writeWithin(entries, MAX_LIST_BYTES - countBytes(longest))
    : { count: entries.length, json: JSON.stringify(entries) };
  if (isArray && limit === undefined && count === all.length) return createTextResult(json);
  const members = JSON.stringify(describePage(offset + count));
  return createTextResult(`{"${list}":${json},${members.slice(1)}`);
};

/**
 * Returns the JSON Schema of the answer of every `filter_*`: the filters in force and one page of the matches.
 *
 * @param list the key of the page's entries and of the count of all there are, `total_<list>`
 */
export const filterResultSchema = (
  list: ListName,
  filters: JsonObject,
  entry: JsonObject,
  more: JsonObject = {},
): JsonObject => ({
  type: 'object',
  properties: {
    filters: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        ...filters,
        case_sensitive: { type: 'boolean' },
        limit: wholeNumber,
        offset: wholeNumber,
      },
      required: ['case_sensitive', 'limit', 'offset'],
      additionalProperties: false,
    },
    [`total_${list}`]: { ...wholeNumber, description: 'Everything visible before filtering' },
    filtered_count: { ...wholeNumber, description: 'Entries on this page' },
    total: { ...wholeNumber, description: 'All matches before paging' },
    truncated: { type: 'boolean', description: 'More matches follow this page' },
    [list]: { type: 'array', items: entry },
    ...more,
  },
  required: ['filters', `total_${list}`, 'filtered_count', 'total', 'truncated', list],
  additionalProperties: false,
});

/** The arguments of `filter_resources` and `filter_prompts`. */
export const servedFilterArguments = {
  pattern: createOptionalTextArgument('Glob'),
  server: createOptionalTextArgument('Only this one'),
  case_sensitive: createFlagArgument(),
  ...pageArguments,
} as const;

/** The names of one kind of entry in an answer, and how it is matched and shown. */
interface ServedKind<T> {
  readonly list: Exclude<ListName, 'tools'>;
  readonly all: readonly T[];
  /** Returns the text that the pattern is matched against. */
  readonly addressOf: (item: T) => string;
  readonly entryOf: (item: T) => object;
}

/** Filters the entries of servers inside the toolset by pattern and server, and returns one page. @spec §1.1, §4.2 */
export const filterServed = <T extends { readonly server?: string | undefined }>(
  kind: ServedKind<T>,
  args: ArgumentValues<typeof servedFilterArguments>,
  context: MetaToolContext,
): CallResult => {
  const { pattern, server, case_sensitive: caseSensitive, limit, offset } = args;
  const glob = compileGlob(pattern ?? '*', { caseSensitive });
  if (!glob.ok) {
    const error = { code: 'filter.pattern-invalid', pattern: pattern ?? '*' } as const;
    return createRefusalResult({ code: 'filter.refused', error }, context.ports);
  }
  const visible = listToolsetItems(kind.all, context);
  const page = toPage(
    visible.filter(
      (item) =>
        (server === undefined || item.server === server) && glob.matches(kind.addressOf(item)),
    ),
    { limit, offset },
  );
  return createJsonResult({
    filters: {
      ...(pattern !== undefined && { pattern }),
      ...(server !== undefined && { server }),
      case_sensitive: caseSensitive,
      limit,
      offset,
    },
    [`total_${kind.list}`]: visible.length,
    filtered_count: page.items.length,
    total: page.total,
    truncated: page.truncated,
    [kind.list]: page.items.map(kind.entryOf),
  });
};
