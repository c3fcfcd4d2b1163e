import type { StatusCondition } from '../../resource/status-condition.ts';

/** `status` of a `Workflow`. @spec §2.7 */
export interface WorkflowStatus {
  readonly valid: boolean;
  /** One line per error; empty when valid. */
  readonly validationErrors: readonly string[];
  /** Every tool of the workflow, sorted, without duplicates. Informational: availability depends on the caller. */
  readonly referencedTools: readonly string[];
  /** Top-level steps. */
  readonly stepCount: number;
  readonly conditions: readonly StatusCondition[];
}
