import type { Expectations, JsonMap, JsonValue } from '@gateway/crd-schemas';
import {
  createAllowanceWithin,
  createInlineAllowance,
  isSpent,
  type RenderAllowance,
  countStepsTaken,
  type ValueTemplate,
} from '@gateway/go-template';
import type { IsolatedResult } from '../model/ports.ts';
import {
  checkWork,
  type IsolatedLimits,
  type RenderedValues,
  renderValues,
  renderWork,
} from '../isolation/isolated-work.ts';
import { Interruption } from './cancellation.ts';
import { createEmptyMap, type Run } from './run-state.ts';
import type { TemplateData } from '../model/finished-run.ts';
import type { ArgumentsPlan } from './plan.ts';
import {
  type CheckedOutcome,
  type ExpectationsMet,
  checkExpectations,
} from '../expectations/expectations.ts';
import { createInlineLimits } from '../expectations/json-path.ts';

/** Work of a run that has no side effects, so that an attempt can be abandoned and repeated in another process. */
export interface Work<Result> {
  attempt(allowance: RenderAllowance): Result;
  /** Returns the work as plain data, for another process. */
  toIsolatedWork(limits: IsolatedLimits): JsonMap;
  /** Reads the result of the other process. */
  read(result: JsonMap): Result;
  /** Returns the result of work that could not be done. */
  createFailure(text: string): Result;
}

const NOT_DONE = 'the work was not done';

const settleWork = <Result>(run: Run, work: Work<Result>, steps: number, result: Result): Result =>
  run.budget.takeSteps(steps) ? result : work.createFailure(run.budget.problem ?? NOT_DONE);

const requestIsolation = async (run: Run, work: Work<unknown>): Promise<IsolatedResult> => {
  const { ports, rendering, budget, cancellation } = run;
  if (cancellation.text !== undefined) return { ok: false, error: cancellation.text };
  const outcome = await cancellation.until((signal) =>
    ports.isolate?.({
      turn: run.turn,
      signal,
      work: () =>
        work.toIsolatedWork({
          maxBytes: rendering.maxBytes,
          maxSteps: budget.stepsLeft,
          now: rendering.now(),
        }),
    }),
  );
  return outcome instanceof Interruption || outcome === undefined
    ? { ok: false, error: outcome?.text ?? NOT_DONE }
    : outcome;
};

const runIsolation = async <Result>(run: Run, work: Work<Result>): Promise<Result> => {
  const outcome = await requestIsolation(run, work);
  if (!outcome.ok) return work.createFailure(outcome.error);
  const { steps } = outcome.value;
  return settleWork(run, work, typeof steps === 'number' ? steps : 0, work.read(outcome.value));
};

/** Returns the budget of an attempt: that of the engine, or what is left of the budget of the run. */
const chooseAllowance = ({ attempts, rendering, budget }: Run): RenderAllowance => {
  const { stepsLeft } = budget;
  if (stepsLeft >= attempts.ampleSteps) return attempts.allowance;
  const within = createAllowanceWithin(rendering, stepsLeft);
  return attempts.areInline ? createInlineAllowance(rendering, within) : within;
};

const runWorkNow = <Result>(run: Run, work: Work<Result>): Result | Promise<Result> => {
  const { budget, turns, attempts } = run;
  const given = chooseAllowance(run);
  const { bytes, steps, units } = given;
  const allowance: RenderAllowance = { bytes, steps, units, made: 0 };
  const result = work.attempt(allowance);
  const taken = countStepsTaken(given, allowance);
  turns.take(taken);
  const done = settleWork(run, work, taken, result);
  const isAbandoned = attempts.areInline && isSpent(allowance) && budget.problem === undefined;
  return isAbandoned ? runIsolation(run, work) : done;
};

const runWorkLater = async <Result>(run: Run, work: Work<Result>): Promise<Result> =>
  run.turns.later(run.turn, () => runWorkNow(run, work));

/**
 * Does work of a run: at once when it is small, else in another process, if the run has one. Counts its steps. A run that has exceeded its
 * budget does none.
 */
const runWork = <Result>(run: Run, work: Work<Result>): Result | Promise<Result> => {
  if (run.budget.problem !== undefined) return work.createFailure(run.budget.problem);
  return run.turns.isSpent ? runWorkLater(run, work) : runWorkNow(run, work);
};

/** The position of a failure that no template causes. */
const NO_TEMPLATE = -1;

/** The rendering of values as work of a run. A class, because it is created for each step. */
class TemplateWork implements Work<RenderedValues> {
  readonly #run: Run;
  readonly #templates: readonly ValueTemplate[];
  readonly #data: TemplateData;

  constructor(run: Run, templates: readonly ValueTemplate[], data: TemplateData) {
    this.#run = run;
    this.#templates = templates;
    this.#data = data;
  }

  attempt(allowance: RenderAllowance): RenderedValues {
    return renderValues(this.#templates, this.#data, { ...this.#run.rendering, allowance });
  }

  toIsolatedWork(limits: IsolatedLimits): JsonMap {
    return renderWork(this.#templates, this.#data, limits);
  }

  read(result: JsonMap): RenderedValues {
    return result as unknown as RenderedValues;
  }

  createFailure(text: string): RenderedValues {
    return { ok: false, at: NO_TEMPLATE, error: text };
  }
}

const NOTHING: RenderedValues = Object.freeze({ ok: true, values: Object.freeze([]), made: 0 });

/** Renders values in order. All of them together have the bounds of one value. At once when they are small. @spec §2.7 */
export const renderTemplates = (
  run: Run,
  templates: readonly ValueTemplate[],
  data: TemplateData,
): RenderedValues | Promise<RenderedValues> =>
  templates.length === 0 ? NOTHING : runWork(run, new TemplateWork(run, templates, data));

/** The arguments of a call, or the argument that could not be rendered and the reason. */
export type RenderedArguments =
  /** `made` is an estimate of the bytes of memory that they take in addition to existing data. */
  | { readonly ok: true; readonly args: JsonMap; readonly made: number }
  | { readonly ok: false; readonly error: string };

const toArguments = (plan: ArgumentsPlan, rendered: RenderedValues): RenderedArguments => {
  if (!rendered.ok) {
    const name = plan.names[rendered.at];
    if (name === undefined) return rendered;
    const text = `failed to render arguments for argument '${name}': ${rendered.error}`;
    return { ok: false, error: text };
  }
  const args: Record<string, JsonValue> = createEmptyMap();
  for (const [at, name] of plan.names.entries()) args[name] = rendered.values[at] ?? null;
  return { ok: true, args, made: rendered.made };
};

/** Renders the arguments of a call in their declared order. All of them together have the bounds of one value. @spec §2.7 */
export const renderArguments = (
  run: Run,
  plan: ArgumentsPlan,
  data: TemplateData,
): RenderedArguments | Promise<RenderedArguments> => {
  const rendered = renderTemplates(run, plan.values, data);
  return rendered instanceof Promise
    ? rendered.then((later) => toArguments(plan, later))
    : toArguments(plan, rendered);
};

/** The check of an outcome. */
interface Check {
  readonly expected: Expectations;
  readonly outcome: CheckedOutcome;
  readonly data: TemplateData;
}

/** Checks an outcome, at once when that is small. All paths and values of the check share the limits of one value. @spec §2.7 */
export const checkOutcome = (
  run: Run,
  { expected, outcome, data }: Check,
): ExpectationsMet | Promise<ExpectationsMet> =>
  runWork<ExpectationsMet>(run, {
    attempt: (allowance) => {
      const searches = run.ports.isolate === undefined ? undefined : createInlineLimits();
      const limits = { ...run.rendering, allowance, ...(searches && { searches }) };
      const met = checkExpectations(expected, outcome, data, limits);
      // A search beyond the limit is repeated like a rendering that takes too many steps.
      if (searches !== undefined && searches.shared.left < 0) allowance.steps = -1;
      return met;
    },
    toIsolatedWork: (limits) => checkWork(expected, outcome, data, limits),
    read: (result) => result as unknown as ExpectationsMet,
    createFailure: (text) => ({ ok: false, error: text }),
  });
