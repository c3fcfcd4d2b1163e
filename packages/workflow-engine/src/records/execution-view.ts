import type { ExecutionRecord, JsonMap, JsonValue } from '@gateway/crd-schemas';
import { isJsonMap } from '@gateway/go-template';
import type { ExecutionListPage, ExecutionListQuery } from './execution-summary.ts';

/** The parts of a record to show. */
export interface ExecutionViewOptions {
  readonly includeSteps: boolean;
  /** Only the entries of this step, in every iteration; takes precedence over `includeSteps`. */
  readonly stepId?: string | undefined;
}

/** The record as it is shown, or the reason that it is not. */
export type ExecutionView =
  { readonly ok: true; readonly view: JsonMap } | { readonly ok: false; readonly text: string };

/** Returns the message for an unknown run. */
export const executionNotFoundText = (id: string): string =>
  `Failed to get execution: execution ${id} not found`;

const NO_INPUT: JsonMap = Object.freeze({});

/** Records are JSON; the interfaces do not express it. */
const asMap = (value: object): JsonMap => value as JsonMap;

const withoutSteps = (value: JsonValue): JsonValue => {
  if (!isJsonMap(value)) return value;
  const { steps: _steps, template_vars: _vars, ...rest } = value;
  return rest;
};

const summaryView = ({
  steps: _steps,
  omitted_steps: _omitted,
  result,
  ...record
}: ExecutionRecord): JsonMap =>
  asMap({ ...record, ...(result !== undefined && { result: withoutSteps(result) }) });

const stepView = (record: ExecutionRecord, stepId: string): ExecutionView => {
  const steps = record.steps.filter(({ step_id }) => step_id === stepId);
  if (steps.length === 0) {
    const text = `Failed to get execution: step ${stepId} not found in execution ${record.execution_id}`;
    return { ok: false, text };
  }
  const failed = steps.some(({ status }) => status === 'failed');
  const { result: _result, error, input, ...rest } = record;
  const view = {
    ...rest,
    input: failed ? input : NO_INPUT,
    ...(failed && error !== undefined && { error }),
    steps,
  };
  return { ok: true, view: asMap(view) };
};

/** Returns a run without the person who started it. */
const withoutStarter = <Run extends Pick<ExecutionRecord, 'started_by'>>({
  started_by: _starter,
  ...run
}: Run): Omit<Run, 'started_by'> => run;

/**
 * Returns a record as `core_workflow_execution_get` shows it: complete, without its steps, or one step only. The arguments and
 * the error of the run are included with one step only when that step failed. Nothing names the person who started the run.
 */
export const executionView = (
  stored: ExecutionRecord,
  { includeSteps, stepId }: ExecutionViewOptions,
): ExecutionView => {
  const record = withoutStarter(stored);
  if (stepId !== undefined) return stepView(record, stepId);
  return { ok: true, view: includeSteps ? asMap(record) : summaryView(record) };
};

/** Returns a page as `core_workflow_execution_list` shows it, without the persons who started the runs. */
export const executionList = (
  { executions, total }: ExecutionListPage,
  { limit, offset }: Pick<ExecutionListQuery, 'limit' | 'offset'>,
): JsonMap =>
  asMap({
    executions: executions.map(withoutStarter),
    total,
    limit,
    offset,
    has_more: offset + executions.length < total,
  });
