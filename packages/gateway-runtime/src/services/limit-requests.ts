import { type CallContext, type Caller, NestedCallContext } from '@gateway/call-contract';
import type { DownstreamError, DownstreamOutcome } from '@gateway/downstream';
import type { CallSlots, KeyedSlots } from '@gateway/mcp-http';
import type { DownstreamRequests } from '../metrics/measure-ports.ts';
import type { RunBudget } from '@gateway/workflow-engine';

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
    super(run, step.signal, run.caller && askableCaller(run.caller));
    this.chain = step.chain;
    this.budget = step.budget;
  }
}

/** Returns the workflows that led to a call; none for a call from outside. */
export const chainOf = (context: CallContext): readonly string[] =>
  context instanceof StepContext ? context.chain : [];

/** Returns the budget of the run that makes a call; undefined for a call from outside. */
export const budgetOf = (context: CallContext): RunBudget | undefined =>
  context instanceof StepContext ? context.budget : undefined;

const askable = new WeakMap<Caller, Caller>();

/**
 * Returns the same caller without `takesInputRequired`, so that it is asked while the call runs: an `input_required` result would be
 * the result of the step, and a step is never sent twice.
 */
function askableCaller(caller: Caller): Caller {
  if (!caller.takesInputRequired) return caller;
  const known = askable.get(caller) ?? withoutInputRequired(caller);
  askable.set(caller, known);
  return known;
}

const withoutInputRequired = (caller: Caller): Caller => ({
  get capabilities() {
    return caller.capabilities;
  },
  takesInputRequired: false,
  get logLevel() {
    return caller.logLevel;
  },
  get identity() {
    return caller.identity;
  },
  get client() {
    return caller.client;
  },
  get person() {
    return caller.person;
  },
  ask: (...question) => caller.ask(...question),
  notify: (notification) => {
    caller.notify(notification);
  },
});

/** The slots of the servers, and a counter of refused requests. */
interface RequestLimits {
  readonly slots: KeyedSlots;
  readonly onRefused: (server: string) => void;
}

/**
 * Limits the concurrent requests to each server. Further requests wait until one has ended, the callers in turn and the runs of each, and at most until
 * their call is cancelled or its time limit passes. Requests of workflows count at the server that they reach; the call of the
 * workflow itself occupies no slot of a server, so that a workflow never waits for itself.
 */
export function limitRequests(
  requests: DownstreamRequests,
  limits: RequestLimits,
): DownstreamRequests {
  const limit =
    <Request extends { readonly server: string }>(
      send: (request: Request, context: CallContext) => Promise<DownstreamOutcome>,
    ) =>
    (request: Request, context: CallContext): Promise<DownstreamOutcome> => {
      const slots = limits.slots.of(request.server);
      if (slots.take()) return released(slots, send(request, context));
      return queued({ ...limits, server: request.server }, { slots, context }, () =>
        released(slots, send(request, context)),
      );
    };
  return {
    callTool: limit((call, context) => requests.callTool(call, context)),
    readResource: limit((read, context) => requests.readResource(read, context)),
    getPrompt: limit((get, context) => requests.getPrompt(get, context)),
    complete: limit((question, context) => requests.complete(question, context)),
  };
}

/** Releases the slot when the request has ended; does not delay the outcome by a microtask. */
function released(slots: CallSlots, outcome: Promise<DownstreamOutcome>) {
  const release = (): void => {
    slots.release();
  };
  outcome.then(release, release);
  return outcome;
}

interface WaitingRequest {
  readonly slots: CallSlots;
  readonly context: CallContext;
}

function queued(
  { server, onRefused }: RequestLimits & { readonly server: string },
  { slots, context }: WaitingRequest,
  send: () => Promise<DownstreamOutcome>,
): Promise<DownstreamOutcome> {
  const { signal, callerKey = '' } = context;
  const cancelled: DownstreamError = { code: 'request.cancelled', server };
  if (signal.aborted) return Promise.resolve({ ok: false, error: cancelled });
  return new Promise((resolve) => {
    const run = budgetOf(context)?.owner;
    const withdraw = slots.wait({ user: callerKey, run }, () => {
      signal.removeEventListener('abort', cancel);
      resolve(send());
    });
    const cancel = (): void => {
      withdraw?.();
      resolve({ ok: false, error: cancelled });
    };
    if (withdraw === undefined) {
      onRefused(server);
      const { running, queued: waiting } = slots;
      resolve({ ok: false, error: { code: 'server.busy', server, running, waiting } });
    } else signal.addEventListener('abort', cancel, { once: true });
  });
}
