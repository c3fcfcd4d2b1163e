import { routeErrorText, routeToolCall, type CatalogTool, type JsonObject } from '@gateway/catalog';
import { isJsonObject, openObject, requiredText } from '../arguments/argument-kinds.ts';
import { read, refuse, type Read } from '../arguments/argument.ts';
import { defineMetaTool } from '../define-meta-tool.ts';
import type { MetaToolResult } from '../meta-tool.ts';
import type { CallOutcome } from '../ports.ts';
import type { RequestContext } from '../request-context.ts';
import { refusalResult } from '../result.ts';

/** Who answered: the exposed name and, for a server's tool, the server and its own name for it. */
interface ToolOrigin {
  readonly name: string;
  readonly server?: string;
  readonly serverTool?: string;
}

interface Dispatched {
  readonly origin: ToolOrigin;
  readonly outcome: CallOutcome;
}

/** One way to reach a tool for each kind. @spec §1.3 */
const dispatch: {
  readonly [K in CatalogTool['kind']]: (
    tool: CatalogTool,
    args: JsonObject,
    context: RequestContext,
  ) => Promise<Dispatched>;
} = {
  tool: async (tool, args, { ports, options }) => {
    const origin = { name: tool.name };
    const route = routeToolCall(tool, args);
    if (!route.ok) return { origin, outcome: { ok: false, text: routeErrorText(route.error) } };
    const { server, serverTool } = route;
    const call = { server, tool: serverTool, arguments: route.arguments };
    return {
      origin: { ...origin, server, serverTool },
      outcome: await ports.callServerTool(call, options),
    };
  },
  workflow: async ({ name }, args, { ports, options }) => ({
    origin: { name },
    outcome: await ports.callWorkflow(name, args, options),
  }),
  core: async ({ name }, args, { ports, options }) => ({
    origin: { name },
    outcome: await ports.callCoreTool(name, args, options),
  }),
};

/** The called tool's own result with one `_meta` key more; nothing else of it is touched. */
const withOrigin = (result: JsonObject, apiGroup: string, origin: ToolOrigin): MetaToolResult => {
  const meta = result['_meta'];
  return { ...result, _meta: { ...(isJsonObject(meta) && meta), [`${apiGroup}/tool`]: origin } };
};

/** Finds the tool to call. Whatever a toolset does not select is outside, known or not. @spec §4.2, §7.2 */
const findTool = (
  name: string,
  { snapshot, scope, ports, options }: RequestContext,
): Read<CatalogTool> => {
  const tool = snapshot.tool(name);
  if (scope === undefined) {
    return tool === undefined ? refuse({ code: 'tool.unknown', name }) : read(tool);
  }
  if (tool !== undefined && scope.selection.has(tool)) return read(tool);
  const toolset = scope.toolset.text;
  ports.onCallRefused({ tool: name, toolset, session: options.session });
  return refuse({ code: 'toolset.outside', kind: 'tool', name, toolset });
};

/** Calls a tool of the catalog and answers with that tool's own result. @spec §1.1, §4.2 */
export const callTool = defineMetaTool({
  name: 'call_tool',
  description:
    "Call a tool by its exact name. Find it with filter_tools, read its inputSchema with describe_tool, then call. The result is the tool's own.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  arguments: {
    name: requiredText('Exact tool name, for example x_files_read_file or workflow_deploy'),
    arguments: openObject("Arguments by the tool's inputSchema"),
  },
  resultSchema: {
    type: 'object',
    properties: {
      content: { type: 'array', items: { type: 'object' } },
      structuredContent: {},
      isError: { type: 'boolean' },
      _meta: { type: 'object' },
    },
    required: ['content'],
  },
  answer: async ({ name, arguments: args }, context) => {
    const found = findTool(name, context);
    if (!found.ok) return refusalResult(found.refusal, context.ports);
    const tool = found.value;
    const { origin, outcome } = await dispatch[tool.kind](tool, args, context);
    return outcome.ok
      ? withOrigin(outcome.result, context.apiGroup, origin)
      : refusalResult({ code: 'tool.failed', reason: outcome.text }, context.ports);
  },
});
