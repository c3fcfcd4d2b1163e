import type { CallContext, CallOutcome } from '@gateway/call-contract';
import { callUnscopedTool, type MetaToolPorts } from '@gateway/meta-tools';
import type { EnginePorts, ToolCallContext } from '@gateway/workflow-engine';
import { StepContext } from './step-context.ts';

/** What the calls of steps go through: ports of `call_tool`. */
export type StepPorts = Parameters<typeof callUnscopedTool>[2];

/**
 * Calls the tools of workflows the way `call_tool` does, outside any toolset: families, core tools and other workflows included.
 *
 * @param ports asked at each call, since a workflow may call what runs workflows
 * @spec §4.2
 */
export function stepCalls(
  ports: () => StepPorts,
  warn: MetaToolPorts['warn'],
): EnginePorts['callTool'] {
  return (call, context) =>
    withinTime(context, async (signal) => {
      // Runs are started in one place, which hands over what accompanies the call.
      const run = context.caller as CallContext;
      const step = new StepContext(run, { signal, chain: context.chain });
      try {
        const { tool: name, arguments: args } = call;
        return await callUnscopedTool({ name, arguments: args }, step, ports());
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        warn(`a call of ${call.tool} by a workflow broke off: ${text}`);
        return { ok: false, text };
      }
    });
}

/** Ends a call that takes too long, whether or not the tool listens to its signal. */
async function withinTime(
  { signal, timeoutMs }: ToolCallContext,
  call: (signal: AbortSignal) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const bound = new AbortController();
  const pass = (): void => {
    bound.abort(signal.reason);
  };
  if (signal.aborted) pass();
  else signal.addEventListener('abort', pass, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const outOfTime = new Promise<CallOutcome>((resolve) => {
    timer = setTimeout(() => {
      const text = `the tool did not answer within ${secondsText(timeoutMs)}`;
      resolve({ ok: false, text });
      bound.abort(new Error(text));
    }, timeoutMs);
  });
  try {
    return await Promise.race([call(bound.signal), outOfTime]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', pass);
  }
}

const secondsText = (ms: number): string => `${(ms / 1000).toString()} s`;
