import type { CallOutcome, JsonObject } from '@gateway/call-contract';
import type { CatalogTool } from '@gateway/catalog';
import { keepText } from '@gateway/mcp-wire';
import { openObject, requiredText } from '../arguments.ts';
import { read, refuse, type Read } from '../arguments.ts';
import { defineMetaTool } from '../define-meta-tool.ts';
import { asksForInput } from '../contract/result.ts';
import type { MetaToolAnswer } from '../contract/meta-tool.ts';
import type { RequestContext } from '../scope/request-context.ts';
import type { Refusal } from '../contract/refusal.ts';
import { refusalResult, withMeta } from '../contract/result.ts';
import { signInResult } from './dispatch-tool.ts';
import { absentToolRefusal } from '../scope/absent-tools.ts';
import { dispatchTool, type ToolOrigin } from './dispatch-tool.ts';

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
  { apiGroup, ports }: RequestContext,
): MetaToolAnswer => {
  if (!outcome.ok) return refusalResult({ code: 'tool.failed', reason: outcome.text }, ports);
  const { result } = outcome;
  if (asksForInput(result)) return { result };
  return { result: withMeta(result, originMeta(answered.tool, apiGroup, answered.origin)) };
};

/**
 * Returns the tool to call. A tool that the toolset does not select is refused as outside, known or not, unless it would be selected and
 * called if its server were connected or the caller signed in.
 *
 * @spec §4.2, §7.2
 */
const findTool = (
  { name, arguments: args }: { readonly name: string; readonly arguments: JsonObject },
  context: RequestContext,
): Read<CatalogTool> => {
  const { snapshot, scope, ports, call } = context;
  const tool = snapshot.tool(name);
  const isSelected = tool !== undefined && scope?.selection.has(tool) !== false;
  if (isSelected) return read(tool);
  const absent = tool === undefined ? absentToolRefusal(name, args, context) : undefined;
  if (absent !== undefined) return refuse(absent);
  if (scope === undefined) return refuse({ code: 'tool.unknown', name });
  const toolset = scope.toolset.text;
  ports.onCallRefused({ tool: name, toolset, call });
  return refuse({ code: 'toolset.outside', kind: 'tool', name, toolset });
};

/** The sentence about a sign-in names the address where the caller signs in. */
const refusedCall = (
  refusal: Refusal,
  { ports, call }: RequestContext,
): MetaToolAnswer | Promise<MetaToolAnswer> =>
  refusal.code === 'tool.sign-in-required'
    ? signInResult(refusal, call, ports)
    : refusalResult(refusal, ports);

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
    const found = findTool(args, context);
    return found.ok ? undefined : found.refusal;
  },
  answer: ({ name, arguments: args }, context) => {
    const found = findTool({ name, arguments: args }, context);
    if (!found.ok) return refusedCall(found.refusal, context);
    const tool = found.value;
    const call = { tool, arguments: args, context: context.call };
    const { origin, outcome } = dispatchTool(call, context.ports);
    return outcome.then((done) => answerOf(done, { tool, origin }, context));
  },
});
