import type { Caller, CallOptions } from '@gateway/meta-tools';

/**
 * What accompanies a call of a workflow's step: the session and the caller of the run, and the signal of the step. Everything that
 * belongs to the run's own request stays behind: its `_meta`, its progress token, its answers to earlier questions.
 */
export class StepOptions implements CallOptions {
  readonly session: string | undefined;
  readonly caller: Caller | undefined;
  readonly signal: AbortSignal;
  /** The workflows that run at this moment, outermost first. */
  readonly chain: readonly string[];

  constructor(
    run: CallOptions,
    step: { readonly signal: AbortSignal; readonly chain: readonly string[] },
  ) {
    this.session = run.session;
    this.caller = run.caller === undefined ? undefined : askableCaller(run.caller);
    this.signal = step.signal;
    this.chain = step.chain;
  }
}

/** The workflows that led to a call; none for a call from outside. */
export const chainOf = (options: CallOptions): readonly string[] =>
  options instanceof StepOptions ? options.chain : [];

const askable = new WeakMap<Caller, Caller>();

/**
 * The same caller, who is asked while the call runs: an `input_required` result would be the answer of a step, and a step is never
 * sent twice.
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
  ask: (...question) => caller.ask(...question),
  notify: (notification) => {
    caller.notify(notification);
  },
});
