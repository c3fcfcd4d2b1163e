import type { ExecutionRecord, ExecutionStatus, RunStarter } from '@gateway/crd-schemas';
import { stepCountsOf, totalOf } from './step-counts.ts';

/** A run in a list. Times are RFC 3339 in UTC. */
export interface ExecutionSummary extends Pick<
  ExecutionRecord,
  | 'execution_id'
  | 'workflow_name'
  | 'started_by'
  | 'status'
  | 'started_at'
  | 'completed_at'
  | 'duration_ms'
  | 'error'
> {
  readonly step_count: number;
}

/** Which runs to list: newest first, `offset` left out, at most `limit`. */
export interface ExecutionListQuery {
  readonly workflowName?: string;
  readonly status?: ExecutionStatus;
  /** Only the runs of this person; absent: of all. */
  readonly startedBy?: RunStarter;
  readonly limit: number;
  readonly offset: number;
}

/** A page of runs. */
export interface ExecutionListPage {
  readonly executions: readonly ExecutionSummary[];
  /** The number of runs that match the query, on all pages. */
  readonly total: number;
}

/** The most characters of an error in a list: the record has all of it. */
const MAX_ERROR_CHARS = 1000;

const shortError = (error: string): string =>
  error.length > MAX_ERROR_CHARS ? `${error.slice(0, MAX_ERROR_CHARS)}...` : error;

/** Returns the summary of a run for a list. */
export const summaryOf = (record: ExecutionRecord): ExecutionSummary => ({
  execution_id: record.execution_id,
  workflow_name: record.workflow_name,
  ...(record.started_by !== undefined && { started_by: record.started_by }),
  status: record.status,
  started_at: record.started_at,
  ...(record.completed_at !== undefined && { completed_at: record.completed_at }),
  duration_ms: record.duration_ms,
  step_count: totalOf(stepCountsOf(record)),
  ...(record.error !== undefined && { error: shortError(record.error) }),
});

/** Returns whether a person started a run. Identifiers are compared exactly. */
export const isStartedBy = (
  { started_by }: Pick<ExecutionRecord, 'started_by'>,
  { issuer, subject }: RunStarter,
): boolean => started_by?.issuer === issuer && started_by.subject === subject;

/** Returns whether a run matches a query. Names are compared exactly. */
export const matchesQuery = (
  run: ExecutionSummary,
  { workflowName, status, startedBy }: ExecutionListQuery,
): boolean =>
  (workflowName === undefined || workflowName === run.workflow_name) &&
  (status === undefined || status === run.status) &&
  (startedBy === undefined || isStartedBy(run, startedBy));
