import type { ExecutionRecord, Workflow } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import type { StepEntry, StepFailure } from '../../model/finished-run.ts';
import type { StepPlan } from './plan.ts';

type WorkflowReason = Extract<GatewayEvent['reason'], `Workflow${string}`>;

/** The facts of an event without its workflow. */
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

  /** Reports the start of the run. */
  started(execution: string): void {
    this.#report({ reason: 'WorkflowExecutionStarted', execution });
  }

  /** Reports the end of the run with the data of its record. `at` is the step failure that ended it, if any. */
  ended(
    { error, steps, duration_ms: durationMs }: ExecutionRecord,
    at: StepFailure | undefined,
  ): void {
    if (error === undefined) {
      this.#report({ reason: 'WorkflowExecutionCompleted', steps: steps.length, durationMs });
    } else if (at === undefined) this.#report({ reason: 'WorkflowExecutionFailed', error });
    else this.#report({ reason: 'WorkflowExecutionFailed', step: at.step, error: at.text });
  }

  /** Reports the result of a condition. */
  conditionDecided({ id: step }: StepPlan, holds: boolean): void {
    this.#report({ reason: 'WorkflowStepConditionEvaluated', step, holds });
  }

  /** Reports the start of a step, after its condition. */
  stepStarted(plan: StepPlan): void {
    const tool = plan.kind === 'tool' ? { tool: plan.tool } : {};
    this.#report({ reason: 'WorkflowStepStarted', step: plan.id, ...tool });
  }

  /** Reports the end of a step. The failure that ends the run is reported with the end of the run. */
  stepEnded(
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
