import {
  allowanceWithin,
  inlineAllowance,
  isSpent,
  stepsTaken,
  type JsonMap,
  type RenderAllowance,
} from '@gateway/go-template';
import type { IsolatedResult } from '../../model/isolated-work.ts';
import type { IsolatedLimits } from '../../isolation/isolated-render.ts';
import { Interruption } from '../state/cancellation.ts';
import type { Run } from '../state/run-state.ts';

/** Work of a run that has no side effects, so that an attempt can be abandoned and repeated in another process. */
export interface Work<Result> {
  /** Does the work within an allowance. */
  attempt(allowance: RenderAllowance): Result;
  /** Returns the same work for another process. */
  isolated(limits: IsolatedLimits): JsonMap;
  /** Reads the result of the other process. */
  read(result: JsonMap): Result;
  /** Returns the result of work that could not be done. */
  failed(text: string): Result;
}

const NOT_DONE = 'the work was not done';

const settled = <Result>(run: Run, work: Work<Result>, steps: number, result: Result): Result =>
  run.budget.takeSteps(steps) ? result : work.failed(run.budget.problem ?? NOT_DONE);

const isolatedResult = async (run: Run, work: Work<unknown>): Promise<IsolatedResult> => {
  const { ports, rendering, budget, cancellation } = run;
  if (cancellation.text !== undefined) return { ok: false, text: cancellation.text };
  const outcome = await cancellation.until((signal) =>
    ports.isolate?.({
      turn: run.turn,
      signal,
      work: () =>
        work.isolated({
          maxBytes: rendering.maxBytes,
          maxSteps: budget.stepsLeft,
          now: rendering.now(),
        }),
    }),
  );
  return outcome instanceof Interruption || outcome === undefined
    ? { ok: false, text: outcome?.text ?? NOT_DONE }
    : outcome;
};

const doIsolated = async <Result>(run: Run, work: Work<Result>): Promise<Result> => {
  const outcome = await isolatedResult(run, work);
  if (!outcome.ok) return work.failed(outcome.text);
  const { steps } = outcome.result;
  return settled(run, work, typeof steps === 'number' ? steps : 0, work.read(outcome.result));
};

/** Returns the budget of an attempt: that of the engine, or what is left of the budget of the run. */
const givenTo = ({ attempts, rendering, budget }: Run): RenderAllowance => {
  const { stepsLeft } = budget;
  if (stepsLeft >= attempts.ampleSteps) return attempts.allowance;
  const within = allowanceWithin(rendering, stepsLeft);
  return attempts.areInline ? inlineAllowance(rendering, within) : within;
};

const doNow = <Result>(run: Run, work: Work<Result>): Result | Promise<Result> => {
  const { budget, turns, attempts } = run;
  const given = givenTo(run);
  const { bytes, steps, units } = given;
  const allowance: RenderAllowance = { bytes, steps, units, made: 0 };
  const result = work.attempt(allowance);
  const taken = stepsTaken(given, allowance);
  turns.take(taken);
  const done = settled(run, work, taken, result);
  const isAbandoned = attempts.areInline && isSpent(allowance) && budget.problem === undefined;
  return isAbandoned ? doIsolated(run, work) : done;
};

const doLater = async <Result>(run: Run, work: Work<Result>): Promise<Result> =>
  run.turns.later(run.turn, () => doNow(run, work));

/**
 * Does work of a run: at once when it is small, else in another process, if the run has one. Counts its steps. A run that has exceeded its
 * budget does none.
 */
export const doWork = <Result>(run: Run, work: Work<Result>): Result | Promise<Result> => {
  if (run.budget.problem !== undefined) return work.failed(run.budget.problem);
  return run.turns.isSpent ? doLater(run, work) : doNow(run, work);
};
