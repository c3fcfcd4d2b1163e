import type {
  ExecutionRecord,
  JsonMap,
  RunStarter,
  StepRecord,
  Workflow,
} from '@gateway/crd-schemas';
import { deliveredDocument } from '../documents/delivered-document.ts';
import type { FinishedRun, RunEnd, StepEntry } from '../model/finished-run.ts';
import { retainedRecord } from './retained-record.ts';

/** A run that begins. */
export interface StartedRun {
  readonly executionId: string;
  readonly workflow: Workflow;
  /** Absent when the caller did not sign in. */
  readonly startedBy?: RunStarter | undefined;
  /** The arguments with defaults, without `_debug`. */
  readonly input: JsonMap;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

const NO_INPUT: JsonMap = Object.freeze({});

const timeText = (ms: number): string => new Date(ms).toISOString();

/** Clocks may be set back while something runs. */
const duration = (from: number, to: number): number => Math.max(0, to - from);

const stepRecord = (entry: StepEntry): StepRecord => ({
  step_id: entry.id,
  ...(entry.iteration !== undefined && { iteration: entry.iteration }),
  tool: entry.tool,
  status: entry.status,
  started_at: timeText(entry.startedAt),
  completed_at: timeText(entry.completedAt),
  duration_ms: duration(entry.startedAt, entry.completedAt),
  input: entry.input ?? NO_INPUT,
  ...(entry.result !== undefined && { result: entry.result }),
  ...(entry.error !== undefined && { error: entry.error }),
  ...(entry.storedAs !== undefined && { stored_as: entry.storedAs }),
});

const errorOf = (end: RunEnd): string | undefined => {
  switch (end.kind) {
    case 'completed':
    case 'rendered':
      return undefined;
    case 'output-failed':
    case 'failed':
    case 'refused':
      return end.error;
  }
};

type Identity = Pick<ExecutionRecord, 'execution_id' | 'workflow_name' | 'started_by'>;

const identityOf = ({ executionId, workflow, startedBy }: Omit<StartedRun, 'input'>): Identity => ({
  execution_id: executionId,
  workflow_name: workflow.metadata.name,
  ...(startedBy !== undefined && { started_by: startedBy }),
});

/** Returns the record of a run at its start. */
export const startedRecord = (run: StartedRun): ExecutionRecord =>
  retainedRecord({
    ...identityOf(run),
    status: 'inprogress',
    started_at: timeText(run.startedAt),
    duration_ms: 0,
    input: run.input,
    steps: [],
  });

/** Returns the record of a completed run: its document, and every step with its own times, arguments and result. */
export const recordOf = (run: FinishedRun, document = deliveredDocument(run)): ExecutionRecord => {
  const error = errorOf(run.end) ?? document.error;
  return retainedRecord({
    ...identityOf(run),
    status: error === undefined ? 'completed' : 'failed',
    started_at: timeText(run.startedAt),
    completed_at: timeText(run.completedAt),
    duration_ms: duration(run.startedAt, run.completedAt),
    input: run.input,
    result: document.value,
    ...(error !== undefined && { error }),
    steps: run.entries.map(stepRecord),
  });
};
