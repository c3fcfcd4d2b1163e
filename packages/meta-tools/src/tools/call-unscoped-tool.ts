import type { JsonObject } from '@gateway/catalog';
import type { CallOptions, CallOutcome, MetaToolPorts } from '../ports.ts';
import { refusalText } from '../refusal.ts';
import { dispatchTool } from './dispatch-tool.ts';

type Ports = Pick<MetaToolPorts, 'snapshot' | 'callServerTool' | 'callWorkflow' | 'callCoreTool'>;

/**
 * Calls a tool by its exact exposed name as `call_tool` does, outside any toolset: the way of the calls that a workflow makes.
 *
 * @spec §4.2
 */
export const callUnscopedTool = (
  call: { readonly name: string; readonly arguments: JsonObject },
  options: CallOptions,
  ports: Ports,
): Promise<CallOutcome> => {
  const tool = ports.snapshot(options.session).tool(call.name);
  if (tool === undefined) {
    const text = refusalText({ code: 'tool.unknown', name: call.name });
    return Promise.resolve({ ok: false, text });
  }
  return dispatchTool({ tool, arguments: call.arguments, options }, ports).outcome;
};
