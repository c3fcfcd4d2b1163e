import type { CallOutcome, JsonObject } from '@gateway/call-contract';
import type { CatalogTool } from '@gateway/catalog';
import { keepText } from '@gateway/mcp-wire';
import { openObject, requiredText } from '../arguments.ts';
import { admitTool, dispatchTool, refuseCall, type ToolOrigin } from './dispatch-tool.ts';
import { defineMetaTool } from '../define-meta-tool.ts';
import { asksForInput, refusalResult, withMeta } from '../contract/result.ts';
import type { MetaToolAnswer } from '../contract/meta-tool.ts';
import type { MetaToolContext } from '../scope/request-context.ts';

interface OriginMeta {
  readonly apiGroup: string;
  readonly meta: JsonObject;
}

/** The `_meta` with the origin of a call: the same for every call of a tool at a server. A family's tool has several servers. */
const originMetas = new WeakMap<CatalogTool, Map<string, OriginMeta>>();

const originMeta = (tool: CatalogTool, apiGroup: string, origin: ToolOrigin): JsonObject => {
  const { server = '' } = origin;
  const metas = originMetas.get(tool) ?? new Map<string, OriginMeta>();
  const known = metas.get(server);
  if (known?.apiGroup === apiGroup) return known.meta;
  const origins = { [`${apiGroup}/tool`]: origin };
  // Its JSON is written once.
  const meta = keepText(origins, JSON.stringify(origins));
  originMetas.set(tool, metas.set(server, { apiGroup, meta }));
  return meta;
};

/** The tool that was called, and the origin of its answer. */
interface Answered {
  readonly tool: CatalogTool;
  readonly origin: ToolOrigin;
}

const answerOf = (
  outcome: CallOutcome,
  answered: Answered,
  { apiGroup, ports }: MetaToolContext,
): MetaToolAnswer => {
  if (!outcome.ok) return refusalResult({ code: 'tool.failed', reason: outcome.text }, ports);
  const { result } = outcome;
  if (asksForInput(result)) return { result };
  return { result: withMeta(result, originMeta(answered.tool, apiGroup, answered.origin)) };
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
  refuse: (args, context) => {
    const found = admitTool(args, context.snapshot.tool(args.name), context);
    return found.ok ? undefined : found.refusal;
  },
  answer: (args, context) => {
    const { snapshot, ports, call } = context;
    const found = admitTool(args, snapshot.tool(args.name), context);
    if (!found.ok) return refuseCall(found.refusal, call, ports);
    const tool = found.value;
    const called = { tool, arguments: args.arguments, context: call };
    const { origin, outcome } = dispatchTool(called, ports);
    return outcome.then((done) => answerOf(done, { tool, origin }, context));
  },
});
