import type { JsonMap, JsonValue } from '@gateway/go-template';

/** The states of a run. */
export const EXECUTION_STATUSES = ['inprogress', 'completed', 'failed'] as const;

/** The state of a run. */
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** The results of a step of a run. */
export const STEP_STATUSES = ['completed', 'failed', 'skipped'] as const;

/** The result of a step of a run. */
export type StepStatus = (typeof STEP_STATUSES)[number];

/** The record of one step of a run. Times are RFC 3339 in UTC, durations milliseconds. */
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
  /** The key of the result in `.results`, if any. */
  readonly stored_as?: string;
}

/** A user who signed in and started a run. */
export interface RunStarter {
  /** URL of the authorization server that vouches for the subject. */
  readonly issuer: string;
  readonly subject: string;
}

/** The record of a run. */
export interface ExecutionRecord {
  readonly execution_id: string;
  readonly workflow_name: string;
  /** Absent when the caller did not sign in. */
  readonly started_by?: RunStarter;
  readonly status: ExecutionStatus;
  readonly started_at: string;
  readonly completed_at?: string;
  readonly duration_ms: number;
  readonly input: JsonMap;
  /** The document that the caller got. */
  readonly result?: JsonValue;
  readonly error?: string;
  readonly steps: readonly StepRecord[];
  /** Parts were removed because the record was too large. */
  readonly truncated?: boolean;
  /** The number of removed steps of each kind; absent when `steps` is complete. */
  readonly omitted_steps?: Readonly<Record<StepStatus, number>>;
}
