import type { ExecutionRecord, Workflow } from '@gateway/crd-schemas';
import type { EventSink, GatewayEvent } from '@gateway/events';
import type { StepEntry, StepFailure } from '../../model/finished-run.ts';
import type { StepPlan } from './plan.ts';

type WorkflowReason = Extract<GatewayEvent['reason'], `Workflow${string}`>;

/** The facts of an event without its workflow. */
type Told = {
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

  /** The run begins. */
  started(execution: string): void {
    this.#tell({ reason: 'WorkflowExecutionStarted', execution });
  }

  /** The run is over, as its record has it. `at` is the failure that ended it, when it was a step's. */
  ended(
    { error, steps, duration_ms: durationMs }: ExecutionRecord,
    at: StepFailure | undefined,
  ): void {
    if (error === undefined) {
      this.#tell({ reason: 'WorkflowExecutionCompleted', steps: steps.length, durationMs });
    } else if (at === undefined) this.#tell({ reason: 'WorkflowExecutionFailed', error });
    else this.#tell({ reason: 'WorkflowExecutionFailed', step: at.step, error: at.text });
  }

  /** The condition of a step was decided. */
  conditionDecided({ id: step }: StepPlan, holds: boolean): void {
    this.#tell({ reason: 'WorkflowStepConditionEvaluated', step, holds });
  }

  /** A step is past its condition. */
  stepStarted(plan: StepPlan): void {
    const tool = plan.kind === 'tool' ? { tool: plan.tool } : {};
    this.#tell({ reason: 'WorkflowStepStarted', step: plan.id, ...tool });
  }

  /** Reports the end of a step. The failure that ends the run is reported with the end of the run. */
  stepEnded(
    { id: step, status, error = '' }: Pick<StepEntry, 'id' | 'status' | 'error'>,
    failure: StepFailure | undefined,
  ): void {
    switch (status) {
      case 'completed':
        this.#tell({ reason: 'WorkflowStepCompleted', step });
        return;
      case 'skipped':
        this.#tell({ reason: 'WorkflowStepSkipped', step });
        return;
      case 'failed':
        if (failure === undefined) this.#tell({ reason: 'WorkflowStepFailed', step, error });
    }
  }

  #tell(told: Told): void {
    const { name, namespace } = this.#workflow.metadata;
    this.#sink({ ...told, name, namespace });
  }
}
