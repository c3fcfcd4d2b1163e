import type { JsonObject } from '@gateway/call-contract';
import { type CatalogTool, toToolInfo } from '@gateway/catalog';
import {
  NOTHING_MORE,
  READS_CATALOG,
  defineMetaTool,
  createFlagArgument,
} from '../define-meta-tool.ts';
import {
  type MetaToolContext,
  createToolsetMeta,
  listVisibleTools,
} from '../scope/toolset-scope.ts';
import { createJsonResult } from '../contract/result.ts';
import {
  createListResult,
  filterResultSchema,
  kindCounts,
  listArguments,
  listResultSchema,
} from '../pages.ts';
import { withMeta } from './call-tool.ts';

const hint: JsonObject = { type: 'boolean' };

/** The members of every answer about a tool. @spec §2.4 */
const toolProperties: JsonObject = {
  name: { type: 'string' },
  title: { type: 'string' },
  description: { type: 'string' },
  server: {
    type: 'string',
    description:
      'Owning server, or the family of a family tool; absent for workflows and core tools',
  },
  kind: { enum: ['tool', 'workflow', 'core'] },
  annotations: {
    type: 'object',
    properties: {
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    },
    additionalProperties: false,
    minProperties: 1,
  },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  inputSchema: { type: 'object' },
};

/** JSON Schema of an entry of `list_tools`, `filter_tools` and `list_core_tools`. @spec §2.4 */
export const toolEntrySchema: JsonObject = {
  type: 'object',
  properties: {
    ...toolProperties,
    summary: { type: 'string', description: 'First line of the description' },
    score: { type: 'number', description: 'Relevance; only with query' },
    signature: {
      type: 'string',
      description: 'Arguments in short, in filter_tools without include_schema',
    },
  },
  required: ['name', 'kind'],
  additionalProperties: false,
};

/** JSON Schema of the answer of `describe_tool`. @spec §2.4 */
export const toolDetailSchema: JsonObject = {
  type: 'object',
  properties: {
    ...toolProperties,
    outputSchema: { type: 'object' },
    changed: {
      type: 'array',
      items: { type: 'string' },
      description: 'What the gateway set in place of the server, e.g. "defaults.path"',
    },
    available: {
      const: false,
      description:
        'Present while the server is down (the entry is the last known one) or the caller may not call the tool',
    },
    refusal: {
      type: 'string',
      description: 'Why the caller may not call the tool, and how to get the permission',
    },
    serverStates: {
      type: 'object',
      description: 'The state of each server of a tool that is not available',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['name', 'description', 'kind', 'inputSchema'],
  additionalProperties: false,
};

/** The core tool that signs a caller in to a server. @spec §5.2 */
const AUTH_TOOL = 'core_auth_login';

const compareNames = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1;

/**
 * The servers that require sign-in. The toolset does not restrict them: they show which sign-in makes more of the toolset
 * resolve.
 *
 * @spec §4.2
 */
const listAuthServers = ({ ports, call }: MetaToolContext): JsonObject => {
  const servers = ports.serversRequiringAuth(call.principal);
  if (servers.length === 0) return {};
  return {
    servers_requiring_auth: servers
      .toSorted(compareNames)
      .map(({ name, status = 'auth_required' }) => ({ name, status, auth_tool: AUTH_TOOL })),
  };
};

/** Lists the caller's catalog, a page at a time. @spec §1.1, §4.2, §5.2 */
export const listTools = defineMetaTool({
  name: 'list_tools',
  description:
    'List all tools a page at a time, the number per server, and servers that need a sign-in. To find a tool, use filter_tools.',
  annotations: READS_CATALOG,
  arguments: {
    ...listArguments,
    summary: createFlagArgument('First lines of descriptions'),
  },
  resultSchema: listResultSchema('tools', toolEntrySchema, {
    kinds: kindCounts,
    servers_requiring_auth: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          status: { enum: ['auth_required', 'reauth_required'] },
          auth_tool: { const: AUTH_TOOL },
        },
        required: ['name', 'status', 'auth_tool'],
        additionalProperties: false,
      },
    },
  }),
  dependsOn: (_args, { ports, call }) => [ports.serversRequiringAuth(call.principal)],
  answer: ({ summary, ...page }, context) => {
    const description = summary ? 'summary' : 'full';
    const listing = {
      list: 'tools',
      all: listVisibleTools(context),
      entryOf: (tool: CatalogTool) => toToolInfo(tool, { description, schema: false }),
      more: listAuthServers(context),
    } as const;
    return withMeta(createListResult(listing, page, context), createToolsetMeta(context));
  },
});

/** Lists the gateway's own tools of the caller's catalog, in the shape of `filter_tools`. @spec §1.1, §1.3, §4.2 */
export const listCoreTools = defineMetaTool({
  name: 'list_core_tools',
  description: "List the gateway's own tools, core_*: servers, workflows, configuration.",
  annotations: READS_CATALOG,
  arguments: { include_schema: createFlagArgument('Add inputSchema') },
  resultSchema: filterResultSchema(
    'tools',
    { include_schema: { type: 'boolean' } },
    toolEntrySchema,
  ),
  dependsOn: () => NOTHING_MORE,
  answer: ({ include_schema: schema }, context) => {
    const { scope, snapshot } = context;
    const tools = snapshot.coreTools.filter((tool) => scope?.selection.has(tool) ?? true);
    return createJsonResult({
      filters: {
        pattern: 'core*',
        case_sensitive: false,
        include_schema: schema,
        limit: 0,
        offset: 0,
      },
      total_tools: listVisibleTools(context).length,
      filtered_count: tools.length,
      total: tools.length,
      truncated: false,
      tools: tools.map((tool) => toToolInfo(tool, { description: 'full', schema })),
    });
  },
});
