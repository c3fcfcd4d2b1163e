import type { CallResult, JsonObject } from '@gateway/call-contract';
import { compileGlob, toPage } from '@gateway/catalog';
import { createJsonResult, createRefusalResult } from './contract/result.ts';
import {
  createCountArgument,
  createFlagArgument,
  createOptionalTextArgument,
  type ArgumentValues,
} from './define-meta-tool.ts';
import { type MetaToolContext, listToolsetItems } from './scope/toolset-scope.ts';

/** The default number of entries on a page of `filter_*`. */
const DEFAULT_PAGE_LIMIT = 5;

/** The paging arguments that all `filter_*` meta-tools share. */
export const pageArguments = {
  limit: createCountArgument('Most entries to return', 1, DEFAULT_PAGE_LIMIT),
  offset: createCountArgument('Entries to skip', 0, 0),
} as const;

const wholeNumber: JsonObject = { type: 'integer', minimum: 0 };

/**
 * Returns the JSON Schema of the answer of every `filter_*`: the filters in force and one page of the matches.
 *
 * @param list the key of the page's entries and of the count of all there are, `total_<list>`
 */
export const filterResultSchema = (
  list: 'tools' | 'resources' | 'prompts',
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
  pattern: createOptionalTextArgument('Glob: * and ? do not cross /'),
  server: createOptionalTextArgument('Only of this server'),
  case_sensitive: createFlagArgument('Match case in pattern', false),
  ...pageArguments,
} as const;

/** The names of one kind of entry in an answer, and how it is matched and shown. */
interface ServedKind<T> {
  readonly list: 'resources' | 'prompts';
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
