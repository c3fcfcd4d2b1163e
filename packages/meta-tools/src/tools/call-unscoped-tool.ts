import type { CallContext, CallOutcome, JsonObject } from '@gateway/call-contract';
import type { MetaToolPorts } from '../contract/ports.ts';
import { refusalText, type Refusal } from '../contract/refusal.ts';
import { unavailableRefusal, unavailableTool } from '../scope/last-known-tools.ts';
import { dispatchTool } from './dispatch-tool.ts';

type Ports = Pick<
  MetaToolPorts,
  'snapshot' | 'lastKnownTools' | 'callServerTool' | 'callWorkflow' | 'callCoreTool'
>;

const absentRefusal = (
  { name, arguments: args }: { readonly name: string; readonly arguments: JsonObject },
  call: CallContext,
  ports: Ports,
): Refusal => {
  const unavailable = unavailableTool(name, { ports, call });
  return unavailable === undefined
    ? { code: 'tool.unknown', name }
    : unavailableRefusal(name, args, unavailable);
};

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
    const text = refusalText(absentRefusal(call, context, ports));
    return Promise.resolve({ ok: false, text });
  }
  return dispatchTool({ tool, arguments: call.arguments, context }, ports).outcome;
};
