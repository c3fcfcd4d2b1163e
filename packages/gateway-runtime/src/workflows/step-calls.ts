import type { CallContext, CallOutcome } from '@gateway/call-contract';
import { callUnscopedTool, type MetaToolPorts } from '@gateway/meta-tools';
import type { EnginePorts, ToolCallContext } from '@gateway/workflow-engine';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { AuditedCall, CallFacts } from '../audit/audited-call.ts';
import { StepContext } from '../services/step-context.ts';

/** The ports of `call_tool`, through which steps call tools. */
export type StepPorts = Parameters<typeof callUnscopedTool>[2];

/**
 * Returns a function that calls the tools of workflow steps as `call_tool` does, without a toolset: families, core tools and other
 * workflows included.
 *
 * @param ports read at each call, because a step may call a workflow
 * @spec §4.2
 */
export function createStepCaller(
  ports: () => StepPorts,
  warn: MetaToolPorts['warn'],
  trail?: AuditTrail,
): EnginePorts['callTool'] {
  return (call, context) =>
    withTimeLimit(context, async (signal) => {
      // The gateway starts every run with the context of its call.
      const run = context.caller as CallContext;
      const step = new StepContext(run, {
        signal,
        chain: context.chain,
        budget: context.budget,
      });
      try {
        const { tool: name, arguments: args } = call;
        const send = () => callUnscopedTool({ name, arguments: args }, step, ports());
        if (trail === undefined) return await send();
        return await trail.follow(step, stepFacts(name, context, trail.of(run)), send);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        warn(`the workflow's call to ${call.tool} failed: ${text}`);
        return { ok: false, text };
      }
    });
}

/** Returns the facts of a step's call for its audit record. */
const stepFacts = (
  name: string,
  { chain, executionId }: ToolCallContext,
  outer: AuditedCall | undefined,
): CallFacts => ({
  method: 'tools/call',
  name,
  parent: outer?.id,
  run: executionId,
  workflow: chain.at(-1),
});

/** Ends a call at its time limit, even when the tool ignores its signal. */
async function withTimeLimit(
  { signal, timeoutMs }: ToolCallContext,
  call: (signal: AbortSignal) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const limited = new AbortController();
  const forwardAbort = (): void => {
    limited.abort(signal.reason);
  };
  if (signal.aborted) forwardAbort();
  else signal.addEventListener('abort', forwardAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<CallOutcome>((resolve) => {
    timer = setTimeout(() => {
      const text = `the tool did not answer within ${secondsText(timeoutMs)}`;
      resolve({ ok: false, text });
      limited.abort(new Error(text));
    }, timeoutMs);
  });
  try {
    return await Promise.race([call(limited.signal), timedOut]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forwardAbort);
  }
}

const secondsText = (ms: number): string => `${(ms / 1000).toString()} s`;
