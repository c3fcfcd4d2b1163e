import type { CallContext, CallOutcome, JsonObject } from '@gateway/call-contract';
import type { MetaToolPorts } from '../contract/ports.ts';
import { refusalText } from '../contract/refusal.ts';
import { dispatchTool } from './dispatch-tool.ts';

type Ports = Pick<MetaToolPorts, 'snapshot' | 'callServerTool' | 'callWorkflow' | 'callCoreTool'>;

/**
 * Calls a tool by its exact exposed name as `call_tool` does, without a toolset: steps of workflows use it.
 *
 * @spec §4.2
 */
export const callUnscopedTool = (
  call: { readonly name: string; readonly arguments: JsonObject },
  context: CallContext,
  ports: Ports,
): Promise<CallOutcome> => {
  const tool = ports.snapshot(context.principal).tool(call.name);
  if (tool === undefined) {
    const text = refusalText({ code: 'tool.unknown', name: call.name });
    return Promise.resolve({ ok: false, text });
  }
  return dispatchTool({ tool, arguments: call.arguments, context }, ports).outcome;
};
