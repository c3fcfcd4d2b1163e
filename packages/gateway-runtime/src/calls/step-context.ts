import { NestedCallContext, type CallContext, type Caller } from '@gateway/call-contract';
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
