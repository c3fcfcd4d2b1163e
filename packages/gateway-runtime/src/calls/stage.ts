import {
  type CallContext,
  type CallOutcome,
  NestedCallContext,
  type Caller,
  withOverrides,
} from '@gateway/call-contract';
import type { CallTime, Downstream, DownstreamOutcome } from '@gateway/downstream';
import type { ServiceAnswer, ServiceCall, ServiceCallContext } from '@gateway/mcp-http';
import type { RunBudget } from '@gateway/workflow-engine';

/** Answers or sends what reaches the end of the stages. */
export type Next<Request, Context, Answer> = (request: Request, context: Context) => Answer;

/** A stage on the path of a request: answers it, or passes it on. */
export type Stage<Request, Context, Answer> = (
  request: Request,
  context: Context,
  next: Next<Request, Context, Answer>,
) => Answer;

/** A stage of a call of a client. Most answers are synchronous, and stay so. */
export type CallStage = Stage<
  ServiceCall,
  ServiceCallContext,
  ServiceAnswer | Promise<ServiceAnswer>
>;

/** A request to a server, with the server's own name of the tool or prompt. */
export interface ServerRequest {
  readonly server: string;
  readonly tool?: string;
  readonly prompt?: string;
  readonly time?: CallTime | undefined;
}

/** A stage of a request to a server. It does not delay the outcome by a microtask. */
export type ServerRequestStage = <Request extends ServerRequest>(
  ...stage: Parameters<Stage<Request, CallContext, Promise<DownstreamOutcome>>>
) => Promise<DownstreamOutcome>;

/** The requests that calls send to servers. */
export type ServerRequests = {
  readonly [Method in 'callTool' | 'readResource' | 'getPrompt' | 'complete']: Next<
    Parameters<Downstream[Method]>[0],
    CallContext,
    Promise<CallOutcome>
  >;
};

/** The context of a call that a step of a workflow makes: the nested context of the run, with the signal of the step. */
export class StepContext extends NestedCallContext {
  /** The workflows that are running, outermost first. */
  readonly chain: readonly string[];
  /** The budget of the run, which a run inside it shares. */
  readonly budget: RunBudget;

  constructor(
    run: CallContext,
    step: {
      readonly signal: AbortSignal;
      readonly chain: readonly string[];
      readonly budget: RunBudget;
    },
  ) {
    super(run, step.signal, run.caller && toAskableCaller(run.caller));
    this.chain = step.chain;
    this.budget = step.budget;
  }
}

/** Returns the workflows that led to a call; none for a call from outside. */
export const findChain = (context: CallContext): readonly string[] =>
  context instanceof StepContext ? context.chain : [];

/** Returns the budget of the run that makes a call; undefined for a call from outside. */
export const findBudget = (context: CallContext): RunBudget | undefined =>
  context instanceof StepContext ? context.budget : undefined;

const askable = new WeakMap<Caller, Caller>();

/**
 * Returns the same caller without `takesInputRequired`, so that it is asked while the call runs: an `input_required` result would be
 * the result of the step, and a step is never sent twice.
 */
function toAskableCaller(caller: Caller): Caller {
  if (!caller.takesInputRequired) return caller;
  const known = askable.get(caller) ?? withOverrides(caller, { takesInputRequired: false });
  askable.set(caller, known);
  return known;
}
