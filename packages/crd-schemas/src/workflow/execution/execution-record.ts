import type { JsonMap, JsonValue } from '@gateway/go-template';

/** How a run stands, or ended. */
export const EXECUTION_STATUSES = ['inprogress', 'completed', 'failed'] as const;

/** How a run stands, or ended. */
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** How a step of a run ended. */
export const STEP_STATUSES = ['completed', 'failed', 'skipped'] as const;

/** How a step of a run ended. */
export type StepStatus = (typeof STEP_STATUSES)[number];

/** What one step of a run did. Times are RFC 3339 in UTC, durations milliseconds. */
export interface StepRecord {
  readonly step_id: string;
  /** The index of the loop's item, for a sub-step of `forEach`. */
  readonly iteration?: number;
  readonly tool: string;
  readonly status: StepStatus;
  readonly started_at: string;
  readonly completed_at: string;
  readonly duration_ms: number;
  readonly input: JsonMap;
  readonly result?: JsonValue;
  readonly error?: string;
  /** The key of the result among `.results`, where there is one. */
  readonly stored_as?: string;
}

/** What remains of a run. */
export interface ExecutionRecord {
  readonly execution_id: string;
  readonly workflow_name: string;
  readonly status: ExecutionStatus;
  readonly started_at: string;
  readonly completed_at?: string;
  readonly duration_ms: number;
  readonly input: JsonMap;
  /** The document that the caller got. */
  readonly result?: JsonValue;
  readonly error?: string;
  readonly steps: readonly StepRecord[];
  /** Parts were taken out because the record was too large. */
  readonly truncated?: boolean;
  /** How many steps of each kind were taken out; absent when `steps` has all of them. */
  readonly omitted_steps?: Readonly<Record<StepStatus, number>>;
}
