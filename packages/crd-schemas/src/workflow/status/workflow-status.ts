import type { StatusCondition } from '../../resource/status-condition.ts';

/** `status` of a `Workflow`. @spec §2.7 */
export interface WorkflowStatus {
  readonly valid: boolean;
  /** One line each; empty when valid. */
  readonly validationErrors: readonly string[];
  /** Every tool that the workflow names, sorted, each once. Informational: what is there depends on who asks. */
  readonly referencedTools: readonly string[];
  /** Top-level steps. */
  readonly stepCount: number;
  readonly conditions: readonly StatusCondition[];
}
