import type { CallResult, JsonObject } from '@gateway/call-contract';
import {
  formatSignature,
  searchTools,
  toToolInfo,
  type CatalogTool,
  type FoundTool,
  type SearchOutcome,
} from '@gateway/catalog';
import { listPresets, type PresetSet } from '@gateway/preset-resolver';
import {
  defineMetaTool,
  READS_CATALOG,
  createFlagArgument,
  createOptionalTextArgument,
  createSelectorsArgument,
  createTextMapArgument,
  type ArgumentValues,
} from '../define-meta-tool.ts';
import { filterResultSchema, pageArguments } from '../pages.ts';
import type { ToolsetScope } from '../contract/meta-tool.ts';
import {
  type MetaToolContext,
  createToolsetMeta,
  listVisibleTools,
  resolveArgumentScope,
  read,
} from '../scope/toolset-scope.ts';
import { createJsonResult, createRefusalResult } from '../contract/result.ts';
import { listAuthSelectors } from '../scope/absent-tools.ts';
import {
  EXPLAIN_KEY,
  EXPLAIN_QUERY_KEY,
  createExplanationMeta,
  queryExplanationMeta,
  hasExplanationRequest,
} from '../scope/explanations.ts';
import { withMeta } from './call-tool.ts';
import { toolEntrySchema } from './list-tools.ts';

const filterArguments = {
  query: createOptionalTextArgument(
    'What the tool does, best first: English verbs and nouns with synonyms, like "delete remove file"; a server name helps; no sentences',
  ),
  pattern: createOptionalTextArgument('Glob on the name, like x_files_*'),
  description_filter: createOptionalTextArgument('Text in the description'),
  labels: createTextMapArgument('Labels of a workflow'),
  case_sensitive: createFlagArgument(),
  include_schema: createFlagArgument('Add description and inputSchema'),
  ...pageArguments,
  toolset: createSelectorsArgument('Only tools of preset:, server:, workflow: or tool:<name>'),
  include_presets: createFlagArgument('List presets'),
} as const;

type FilterArguments = ArgumentValues<typeof filterArguments>;

const toFilters = (args: FilterArguments): JsonObject => ({
  ...(args.pattern !== undefined && { pattern: args.pattern }),
  ...(args.description_filter !== undefined && { description_filter: args.description_filter }),
  ...(args.query !== undefined && { query: args.query }),
  ...(Object.keys(args.labels).length > 0 && { labels: args.labels }),
  case_sensitive: args.case_sensitive,
  include_schema: args.include_schema,
  limit: args.limit,
  offset: args.offset,
});

const toEntry =
  (schema: boolean) =>
  ({ tool, score }: FoundTool): object => ({
    ...toToolInfo(tool, {
      description: schema ? 'full' : 'summary',
      schema,
      ...(score !== undefined && { score }),
    }),
    ...(!schema && { signature: formatSignature(tool.inputSchema) }),
  });

const listPresetEntries = (presets: PresetSet): readonly object[] =>
  listPresets(presets).map(({ name, description, builtIn }) => ({
    name,
    description: description ?? '',
    built_in: builtIn,
  }));

/** The members that the toolset arguments add to the answer. @spec §4.3 */
const createToolsetPart = (
  args: FilterArguments,
  scope: ToolsetScope | undefined,
  context: MetaToolContext,
): JsonObject => {
  const narrowed = scope ?? context.scope;
  // A sign-in of the caller makes these selectors resolve.
  const requiringAuth = narrowed === undefined ? [] : listAuthSelectors(narrowed, context);
  return {
    ...(scope !== undefined && { toolset: scope.toolset.selectors.map(({ text }) => text) }),
    ...(scope !== undefined &&
      scope.unmatched.length > 0 && { toolset_unmatched: scope.unmatched }),
    ...(requiringAuth.length > 0 && { toolset_requiring_auth: requiringAuth }),
    ...((args.include_presets || scope !== undefined) && {
      presets: listPresetEntries(context.presets),
    }),
  };
};

/** One call of the tool: the tools that it searches and the selection of its toolset argument. */
interface Filtering {
  readonly args: FilterArguments;
  readonly context: MetaToolContext;
  readonly scope: ToolsetScope | undefined;
  readonly candidates: readonly CatalogTool[];
}

const search = (
  { args, context, candidates }: Filtering,
  nearest: readonly CatalogTool[] | undefined,
): SearchOutcome =>
  searchTools(context.snapshot, candidates, {
    ...(args.query !== undefined && { query: args.query }),
    ...(args.pattern !== undefined && { pattern: args.pattern }),
    ...(args.description_filter !== undefined && { description: args.description_filter }),
    ...(context.ports.search && { thesaurus: context.ports.search.thesaurus }),
    ...(nearest !== undefined && { nearest }),
    labels: args.labels,
    caseSensitive: args.case_sensitive,
    limit: args.limit,
    offset: args.offset,
  });

/** The toolset of the request, and the explanations that it asks for. */
const toMeta = ({ args, context, scope }: Filtering, tools: readonly CatalogTool[]): JsonObject => {
  const explainsToolset = scope !== undefined && hasExplanationRequest(EXPLAIN_KEY, context);
  const explainsQuery =
    args.query !== undefined && hasExplanationRequest(EXPLAIN_QUERY_KEY, context);
  return {
    ...createToolsetMeta(context),
    ...(explainsToolset && createExplanationMeta(scope, args, context)),
    ...(explainsQuery && queryExplanationMeta(args.query, tools, context)),
  };
};

const toAnswer = (
  filtering: Filtering,
  nearest: readonly CatalogTool[] | undefined,
): CallResult => {
  const { args, context, scope } = filtering;
  const found = search(filtering, nearest);
  if (!found.ok) {
    return createRefusalResult({ code: 'filter.refused', error: found.error }, context.ports);
  }
  const { items, total, truncated, leftOut, closest } = found.value;
  const answer = createJsonResult({
    filters: toFilters(args),
    total_tools: listVisibleTools(context).length,
    filtered_count: items.length,
    total,
    truncated,
    ...(leftOut > 0 && { left_out: leftOut }),
    ...(closest !== undefined && { closest }),
    tools: items.map(toEntry(args.include_schema)),
    ...createToolsetPart(args, scope, context),
  });
  const tools = items.map(({ tool }) => tool);
  return withMeta(answer, toMeta(filtering, tools));
};

/** Waits for the other ranking only when there is one and a query. */
const answerFilter = (
  args: FilterArguments,
  context: MetaToolContext,
): CallResult | Promise<CallResult> => {
  // The argument resolves within the header's toolset and never widens it.
  const scope =
    args.toolset === undefined ? read(undefined) : resolveArgumentScope(args.toolset, context);
  if (!scope.ok) return createRefusalResult(scope.refusal, context.ports);
  const candidates = scope.value?.selection.tools ?? listVisibleTools(context);
  const filtering = { args, context, scope: scope.value, candidates };
  const nearest = context.ports.search?.nearest;
  if (nearest === undefined || args.query === undefined) return toAnswer(filtering, undefined);
  return nearest(args.query, candidates, context.call.signal).then((tools) =>
    toAnswer(filtering, tools),
  );
};

/** Finds tools of the caller's catalog, a page at a time. @spec §1.1, §4.2, §4.3 */
export const filterTools = defineMetaTool({
  name: 'filter_tools',
  description:
    'Find tools by query, pattern or toolset. Start here, then call_tool, or describe_tool for the full schema.',
  annotations: READS_CATALOG,
  arguments: filterArguments,
  resultSchema: filterResultSchema(
    'tools',
    {
      description_filter: { type: 'string' },
      query: { type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      include_schema: { type: 'boolean' },
    },
    toolEntrySchema,
    {
      left_out: {
        type: 'integer',
        minimum: 1,
        description: 'Further tools, which have little to do with the query',
      },
      closest: {
        type: 'string',
        description:
          'When nothing matches the query: the word of a tool that is spelled most like it',
      },
      toolset: { type: 'array', items: { type: 'string' } },
      toolset_unmatched: {
        type: 'array',
        items: { type: 'string' },
        description: 'Selectors that selected nothing for this caller',
      },
      toolset_requiring_auth: {
        type: 'array',
        items: { type: 'string' },
        description: 'Selectors that select tools after this caller signed in to their servers',
      },
      presets: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            description: { type: 'string' },
            built_in: { type: 'boolean' },
          },
          required: ['name', 'description', 'built_in'],
          additionalProperties: false,
        },
      },
    },
  ),
  dependsOn: ({ toolset, query }, context) => {
    const { presets, ports, scope, call } = context;
    if (toolset !== undefined && hasExplanationRequest(EXPLAIN_KEY, context)) return undefined;
    if (query !== undefined && hasExplanationRequest(EXPLAIN_QUERY_KEY, context)) return undefined;
    return toolset === undefined && scope === undefined
      ? [presets]
      : [presets, ports.serversRequiringAuth(call.principal)];
  },
  answer: answerFilter,
});
