import type { ProgressReport } from '@gateway/call-contract';
import type { StepEntry, StepFailure } from '../model/finished-run.ts';
import type { Plan, StepPlan } from './plan.ts';
import { ignoreErrors } from './cancellation.ts';
import type { ExecutionRecord, Workflow } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';

const countUnits = (step: StepPlan): number =>
  step.kind === 'parallel' ? step.steps.length + 1 : 1;

/**
 * Counts completed steps for a caller that requested progress. A group counts its sub-steps and itself; a loop its sub-steps
 * once for each item, and itself. The total is reported once the length of every loop is known. @spec MCP 2025-11-25 progress
 */
export class RunProgress {
  readonly #send: (progress: ProgressReport) => unknown;
  #done = 0;
  #total: number;
  #unknownLoops: number;
  /** The count after the current step with everything in it. */
  #mark = 0;

  constructor(plan: Plan, send: (progress: ProgressReport) => unknown) {
    this.#send = send;
    this.#total = plan.steps.reduce((sum, step) => sum + countUnits(step), 0);
    this.#unknownLoops = plan.steps.filter(({ kind }) => kind === 'forEach').length;
  }

  /** Registers the start of a step. */
  begin(step: StepPlan): void {
    this.#mark += countUnits(step);
  }

  /** Sets the total number of sub-steps of the current loop. */
  expectSubSteps(count: number): void {
    this.#unknownLoops -= 1;
    this.#total += count;
    this.#mark += count;
  }

  /** Counts a finished sub-step of the current step. */
  countSubStep({ id, status }: Pick<StepEntry, 'id' | 'status'>): void {
    this.#report(this.#done + 1, `step ${id} ${status}`);
  }

  /** Counts the current step as finished, with all sub-steps that did not run. */
  countStep({ id }: StepPlan, status: StepEntry['status']): void {
    this.#report(this.#mark, `step ${id} ${status}`);
  }

  #report(done: number, message: string): void {
    this.#done = done;
    const total = this.#unknownLoops === 0 ? { total: this.#total } : {};
    ignoreErrors(() => this.#send({ progress: done, ...total, message }));
  }
}

type WorkflowReason = Extract<GatewayEvent['reason'], `Workflow${string}`>;

type EventFacts = {
  [R in WorkflowReason]: Omit<Extract<GatewayEvent, { reason: R }>, 'name' | 'namespace'>;
}[WorkflowReason];

/** Reports the events of one run. @spec §6 */
export class RunEvents {
  readonly #sink: EventSink;
  readonly #workflow: Workflow;

  constructor(sink: EventSink, workflow: Workflow) {
    this.#sink = sink;
    this.#workflow = workflow;
  }

  reportStart(execution: string): void {
    this.#report({ reason: 'WorkflowExecutionStarted', execution });
  }

  /** Reports the end of the run with the data of its record. `at` is the step failure that ended it, if any. */
  reportEnd(
    { error, steps, duration_ms: durationMs }: ExecutionRecord,
    at: StepFailure | undefined,
  ): void {
    if (error === undefined) {
      this.#report({ reason: 'WorkflowExecutionCompleted', steps: steps.length, durationMs });
    } else if (at === undefined) this.#report({ reason: 'WorkflowExecutionFailed', error });
    else this.#report({ reason: 'WorkflowExecutionFailed', step: at.step, error: at.text });
  }

  reportCondition({ id: step }: StepPlan, holds: boolean): void {
    this.#report({ reason: 'WorkflowStepConditionEvaluated', step, holds });
  }

  /** Reports the start of a step, after its condition. */
  reportStepStart(plan: StepPlan): void {
    const tool = plan.kind === 'tool' ? { tool: plan.tool } : {};
    this.#report({ reason: 'WorkflowStepStarted', step: plan.id, ...tool });
  }

  /** Reports the end of a step. The failure that ends the run is reported with the end of the run. */
  reportStepEnd(
    { id: step, status, error = '' }: Pick<StepEntry, 'id' | 'status' | 'error'>,
    failure: StepFailure | undefined,
  ): void {
    switch (status) {
      case 'completed':
        this.#report({ reason: 'WorkflowStepCompleted', step });
        return;
      case 'skipped':
        this.#report({ reason: 'WorkflowStepSkipped', step });
        return;
      case 'failed':
        if (failure === undefined) this.#report({ reason: 'WorkflowStepFailed', step, error });
    }
  }

  #report(facts: EventFacts): void {
    const { name, namespace } = this.#workflow.metadata;
    this.#sink({ ...facts, name, namespace });
  }
}
