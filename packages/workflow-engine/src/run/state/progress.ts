import type { ProgressReport } from '@gateway/call-contract';
import type { StepEntry } from '../../model/finished-run.ts';
import type { Plan, StepPlan } from './plan.ts';
import { ignoreErrors } from './ignore-errors.ts';

const unitsOf = (step: StepPlan): number => (step.kind === 'parallel' ? step.steps.length + 1 : 1);

/**
 * Counts completed steps for a caller that requested progress. A group counts its sub-steps and itself; a loop its sub-steps
 * once for each item, and itself. The total is reported once the length of every loop is known. @spec MCP 2025-11-25 progress
 */
export class Progress {
  readonly #send: (progress: ProgressReport) => unknown;
  #done = 0;
  #total: number;
  #unknownLoops: number;
  /** The count after the current step with everything in it. */
  #mark = 0;

  constructor(plan: Plan, send: (progress: ProgressReport) => unknown) {
    this.#send = send;
    this.#total = plan.steps.reduce((sum, step) => sum + unitsOf(step), 0);
    this.#unknownLoops = plan.steps.filter(({ kind }) => kind === 'forEach').length;
  }

  /** Registers the start of a step. */
  begin(step: StepPlan): void {
    this.#mark += unitsOf(step);
  }

  /** Sets the total number of sub-steps of the current loop. */
  expectSubSteps(count: number): void {
    this.#unknownLoops -= 1;
    this.#total += count;
    this.#mark += count;
  }

  /** Counts a finished sub-step of the current step. */
  subStepEnded({ id, status }: Pick<StepEntry, 'id' | 'status'>): void {
    this.#report(this.#done + 1, `step ${id} ${status}`);
  }

  /** Counts the current step as finished, with all sub-steps that did not run. */
  stepEnded({ id }: StepPlan, status: StepEntry['status']): void {
    this.#report(this.#mark, `step ${id} ${status}`);
  }

  #report(done: number, message: string): void {
    this.#done = done;
    const total = this.#unknownLoops === 0 ? { total: this.#total } : {};
    ignoreErrors(() => this.#send({ progress: done, ...total, message }));
  }
}
