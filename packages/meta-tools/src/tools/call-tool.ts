import type { CatalogTool } from '@gateway/catalog';
import { isJsonObject, openObject, requiredText } from '../arguments/argument-kinds.ts';
import { read, refuse, type Read } from '../arguments/argument.ts';
import { defineMetaTool } from '../define-meta-tool.ts';
import { asksForInput } from '../input-required.ts';
import type { MetaToolAnswer } from '../meta-tool.ts';
import type { CallOutcome } from '../ports.ts';
import type { RequestContext } from '../request-context.ts';
import { refusalResult } from '../result.ts';
import { dispatchTool, type ToolOrigin } from './dispatch-tool.ts';

/** The called tool's own result with one `_meta` key more; nothing else of it is touched, and its JSON goes with it. */
const withOrigin = (
  { result, json }: Extract<CallOutcome, { readonly ok: true }>,
  originKey: string,
  origin: ToolOrigin,
): MetaToolAnswer => {
  const meta = result['_meta'];
  const _meta = { ...(isJsonObject(meta) && meta), [originKey]: origin };
  const answer = { ...result, _meta };
  return json === undefined ? { result: answer } : { result: answer, json };
};

const answerOf = (
  outcome: CallOutcome,
  origin: ToolOrigin,
  { apiGroup, ports }: RequestContext,
): MetaToolAnswer => {
  if (!outcome.ok) return refusalResult({ code: 'tool.failed', reason: outcome.text }, ports);
  return asksForInput(outcome.result) ? outcome : withOrigin(outcome, `${apiGroup}/tool`, origin);
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
  answer: ({ name, arguments: args }, context) => {
    const found = findTool(name, context);
    if (!found.ok) return refusalResult(found.refusal, context.ports);
    const call = { tool: found.value, arguments: args, options: context.options };
    const { origin, outcome } = dispatchTool(call, context.ports);
    return outcome.then((done) => answerOf(done, origin, context));
  },
});
