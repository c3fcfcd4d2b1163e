import type {
  ExecutionRecord,
  ExecutionStatus,
  JsonMap,
  JsonValue,
  Result,
  RunStarter,
  StepStatus,
} from '@gateway/crd-schemas';
import { isJsonMap } from '@gateway/go-template';
import type { ExecutionError } from '../model/engine-error.ts';

export type StepCounts = Readonly<Record<StepStatus, number>>;

const NONE: StepCounts = { completed: 0, failed: 0, skipped: 0 };

/** Returns the number of steps of a run, including those that its record does not contain any more. */
export const countSteps = ({
  steps,
  omitted_steps = NONE,
}: Pick<ExecutionRecord, 'steps' | 'omitted_steps'>): StepCounts => {
  const counts = { ...omitted_steps };
  for (const { status } of steps) counts[status] += 1;
  return counts;
};

/** Returns the sum of the counts. */
const computeTotal = ({ completed, failed, skipped }: StepCounts): number =>
  completed + failed + skipped;

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
  /** Only the runs of this user; absent: of all. */
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

const shortenError = (error: string): string =>
  error.length > MAX_ERROR_CHARS ? `${error.slice(0, MAX_ERROR_CHARS)}...` : error;

/** Returns the summary of a run for a list. */
export const toExecutionSummary = (record: ExecutionRecord): ExecutionSummary => ({
  execution_id: record.execution_id,
  workflow_name: record.workflow_name,
  ...(record.started_by !== undefined && { started_by: record.started_by }),
  status: record.status,
  started_at: record.started_at,
  ...(record.completed_at !== undefined && { completed_at: record.completed_at }),
  duration_ms: record.duration_ms,
  step_count: computeTotal(countSteps(record)),
  ...(record.error !== undefined && { error: shortenError(record.error) }),
});

/** Returns whether a user started a run. Identifiers are compared exactly. */
export const isStartedBy = (
  { started_by }: Pick<ExecutionRecord, 'started_by'>,
  { issuer, subject }: RunStarter,
): boolean => started_by?.issuer === issuer && started_by.subject === subject;

/** Returns whether a run matches a query. Names are compared exactly. */
export const isRunMatch = (
  run: ExecutionSummary,
  { workflowName, status, startedBy }: ExecutionListQuery,
): boolean =>
  (workflowName === undefined || workflowName === run.workflow_name) &&
  (status === undefined || status === run.status) &&
  (startedBy === undefined || isStartedBy(run, startedBy));

/** The parts of a record to show. */
export interface ExecutionViewOptions {
  readonly includeSteps: boolean;
  /** Only the entries of this step, in every iteration; takes precedence over `includeSteps`. */
  readonly stepId?: string | undefined;
}

/** The record as it is shown, or the reason that it is not. */
export type ExecutionView = Result<JsonMap, ExecutionError>;

const NO_INPUT: JsonMap = Object.freeze({});

/** Records are JSON; the interfaces do not express it. */
const toMap = (value: object): JsonMap => value as JsonMap;

const withoutSteps = (value: JsonValue): JsonValue => {
  if (!isJsonMap(value)) return value;
  const { steps: _steps, template_vars: _vars, ...rest } = value;
  return rest;
};

const toSummaryView = ({
  steps: _steps,
  omitted_steps: _omitted,
  result,
  ...record
}: ExecutionRecord): JsonMap =>
  toMap({ ...record, ...(result !== undefined && { result: withoutSteps(result) }) });

const createStepView = (record: ExecutionRecord, stepId: string): ExecutionView => {
  const steps = record.steps.filter(({ step_id }) => step_id === stepId);
  if (steps.length === 0) {
    const { execution_id: id } = record;
    return { ok: false, error: { code: 'execution.unknown-step', id, step: stepId } };
  }
  const failed = steps.some(({ status }) => status === 'failed');
  const { result: _result, error, input, ...rest } = record;
  const view = {
    ...rest,
    input: failed ? input : NO_INPUT,
    ...(failed && error !== undefined && { error }),
    steps,
  };
  return { ok: true, value: toMap(view) };
};

const withoutStarter = <Run extends Pick<ExecutionRecord, 'started_by'>>({
  started_by: _starter,
  ...run
}: Run): Omit<Run, 'started_by'> => run;

/**
 * Returns a record as `core_workflow_execution_get` shows it: complete, without its steps, or one step only. The arguments and
 * the error of the run are included with one step only when that step failed. Nothing names the user who started the run.
 */
export const toExecutionView = (
  stored: ExecutionRecord,
  { includeSteps, stepId }: ExecutionViewOptions,
): ExecutionView => {
  const record = withoutStarter(stored);
  if (stepId !== undefined) return createStepView(record, stepId);
  return { ok: true, value: includeSteps ? toMap(record) : toSummaryView(record) };
};

/** Returns a page as `core_workflow_execution_list` shows it, without the users who started the runs. */
export const toExecutionList = (
  { executions, total }: ExecutionListPage,
  { limit, offset }: Pick<ExecutionListQuery, 'limit' | 'offset'>,
): JsonMap =>
  toMap({
    executions: executions.map(withoutStarter),
    total,
    limit,
    offset,
    has_more: offset + executions.length < total,
  });
