import type { JsonObject } from '@gateway/call-contract';
import { pageOf, toolInfo } from '@gateway/catalog';
import { flag, optionalCount } from '../arguments/argument-kinds.ts';
import { defineMetaTool, READS_CATALOG } from '../definition/define-meta-tool.ts';
import type { RequestContext } from '../scope/request-context.ts';
import { jsonResult } from '../contract/result.ts';
import { toolEntrySchema } from './tool-entry-schema.ts';
import { visibleTools } from './visible-tools.ts';

/** The core tool that signs a caller in to a server. @spec §5.2 */
const AUTH_TOOL = 'core_auth_login';

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1;

/**
 * The servers that require sign-in. The toolset does not restrict them: they show which sign-in makes more of the toolset
 * resolve.
 *
 * @spec §4.2
 */
const serversRequiringAuth = ({ ports, call }: RequestContext): JsonObject => {
  const servers = ports.serversRequiringAuth(call.principal);
  if (servers.length === 0) return {};
  return {
    servers_requiring_auth: servers
      .toSorted(byName)
      .map(({ name, status = 'auth_required' }) => ({ name, status, auth_tool: AUTH_TOOL })),
  };
};

/** Lists the caller's catalog: all of it in full unless a page or summaries are asked for. @spec §1.1, §4.2, §5.2 */
export const listTools = defineMetaTool({
  name: 'list_tools',
  description:
    'List every tool you can call, and servers that need a sign-in first. Large: prefer filter_tools with query.',
  annotations: READS_CATALOG,
  arguments: {
    limit: optionalCount({ description: 'Most tools to return; default all', minimum: 1 }),
    offset: optionalCount({ description: 'Tools to skip', minimum: 0 }),
    summary: flag('Only the first line of each description', false),
  },
  resultSchema: {
    type: 'object',
    properties: {
      tools: { type: 'array', items: toolEntrySchema },
      total: { type: 'integer', description: 'All tools; only with limit or offset' },
      truncated: { type: 'boolean', description: 'More follow; only with limit or offset' },
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
    },
    required: ['tools'],
    additionalProperties: false,
  },
  dependsOn: (_args, { ports, call }) => [ports.serversRequiringAuth(call.principal)],
  answer: ({ limit, offset, summary }, context) => {
    const page = pageOf(visibleTools(context), {
      ...(limit !== undefined && { limit }),
      ...(offset !== undefined && { offset }),
    });
    const description = summary ? 'summary' : 'full';
    const isPaged = limit !== undefined || offset !== undefined;
    return jsonResult({
      tools: page.items.map((tool) => toolInfo(tool, { description, schema: false })),
      ...(isPaged && { total: page.total, truncated: page.truncated }),
      ...serversRequiringAuth(context),
    });
  },
});
