import type {
  ExecutionRecord,
  JsonMap,
  JsonValue,
  RunStarter,
  StepRecord,
  Workflow,
} from '@gateway/crd-schemas';
import { canFitBytes, countJsonBytes } from '../model/json-size.ts';
import { countSteps } from './execution-summary.ts';
import { createDeliveredDocument } from './run-document.ts';
import type { FinishedRun, RunEnd, StepEntry } from '../model/finished-run.ts';

/** Bounds of one record. Bytes are those of compact JSON in UTF-8. */
export interface RecordLimits {
  readonly maxRecordBytes: number;
  /** A larger field is removed from a record that is too large. */
  readonly maxFieldBytes: number;
}

/** Bounds of everything that is remembered. */
export interface RetentionLimits extends RecordLimits {
  /** Milliseconds since a run began. */
  readonly maxAgeMs: number;
  readonly maxRecords: number;
  /** Of all records together, wherever they are. */
  readonly maxTotalBytes: number;
  /** Limit of the records in memory: all of them without a storage, else those that are not stored yet. */
  readonly maxMemoryBytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const KIB = 1024;
const MIB = 1024 * KIB;

/** A record is complete up to 256 KiB; above that, no field is larger than 32 KiB. */
export const RECORD_LIMITS: RecordLimits = {
  maxRecordBytes: 256 * KIB,
  maxFieldBytes: 32 * KIB,
};

/** 21 days, the newest 10,000 runs, 1 GiB in a storage and 64 MiB in memory. */
export const RETENTION_LIMITS: RetentionLimits = {
  ...RECORD_LIMITS,
  maxAgeMs: 21 * DAY_MS,
  maxRecords: 10_000,
  maxTotalBytes: 1024 * MIB,
  maxMemoryBytes: 64 * MIB,
};

/** The text that replaces a removed field. */
const TRUNCATED = '[truncated: payload exceeded retention size limit]';

const TRUNCATED_INPUT: JsonMap = Object.freeze({ _truncated: TRUNCATED });

/** Errors are read by people: the beginning is the most useful part. */
const truncateText = (text: string, maxBytes: number): string => {
  if (canFitBytes(text, maxBytes)) return text;
  // A code unit takes at most six bytes as JSON; the cut never splits a surrogate pair.
  const head = text.slice(0, Math.max(0, Math.floor((maxBytes - TRUNCATED.length) / 6)));
  return `${head.replace(/[\ud800-\udbff]$/, '')}${TRUNCATED}`;
};

const limitValue = <V extends JsonValue>(value: V, maxBytes: number, instead: V): V =>
  canFitBytes(value, maxBytes) ? value : instead;

interface Payload {
  readonly input: JsonMap;
  readonly result?: JsonValue;
  readonly error?: string;
}

/** Returns the payload without the fields that are larger than `maxBytes`. */
const limitPayload = ({ input, result, error }: Payload, maxBytes: number): Payload => ({
  input: limitValue(input, maxBytes, TRUNCATED_INPUT),
  ...(result !== undefined && { result: limitValue(result, maxBytes, TRUNCATED) }),
  ...(error !== undefined && { error: truncateText(error, maxBytes) }),
});

const limitStep = (step: StepRecord, maxBytes: number): StepRecord => ({
  ...step,
  ...limitPayload(step, maxBytes),
});

const limitRecord = (record: ExecutionRecord, maxBytes: number): ExecutionRecord => ({
  ...record,
  ...limitPayload(record, maxBytes),
  steps: record.steps.map((step) => limitStep(step, maxBytes)),
  truncated: true,
});

/** Returns the first and the last steps, as many as fit: how a run began, and why it ended. */
const withFewerSteps = (record: ExecutionRecord, maxBytes: number): ExecutionRecord => {
  const { steps } = record;
  // No count of omitted steps is longer than the count of all.
  const all = countSteps(record);
  let left =
    maxBytes - countJsonBytes(toJsonValue({ ...record, steps: [], omitted_steps: all }), maxBytes);
  let [head, tail] = [0, 0];
  for (let index = 0; head + tail < steps.length; index += 1) {
    const step = index % 2 === 0 ? steps[steps.length - 1 - tail] : steps[head];
    // One byte for the comma.
    left -= countJsonBytes(toJsonValue(step), Math.max(0, left)) + 1;
    if (left < 0) break;
    if (index % 2 === 0) tail += 1;
    else head += 1;
  }
  const omitted = steps.slice(head, steps.length - tail);
  return {
    ...record,
    steps: [...steps.slice(0, head), ...steps.slice(steps.length - tail)],
    omitted_steps: countSteps({ ...record, steps: omitted }),
  };
};

/** Records are JSON; the interfaces do not express it. */
const toJsonValue = (value: unknown): JsonValue => value as JsonValue;

/** A smaller limit of fields is not tried: steps are removed instead. */
const SMALLEST_FIELD_BYTES = 256;

const listFields = ({ input, result, error }: Payload): readonly JsonValue[] =>
  [input, result, error].filter((field) => field !== undefined);

/** Returns the size of the largest field in bytes, or more than `limit`: a limit that is not smaller has no effect. */
const measureLargestField = (record: ExecutionRecord, limit: number): number =>
  [record, ...record.steps]
    .flatMap(listFields)
    .reduce<number>((largest, field) => Math.max(largest, countJsonBytes(field, limit)), 0);

/**
 * Returns the record to retain. A record within the limits is complete. Otherwise fields above the limit are replaced by a text
 * that states it; if that is not enough, smaller fields too, and finally the steps in the middle are removed. Never larger than
 * the limit of a record.
 */
export const toRetainedRecord = (
  record: ExecutionRecord,
  limits: RecordLimits = RECORD_LIMITS,
): ExecutionRecord => {
  const fits = (candidate: ExecutionRecord): boolean =>
    canFitBytes(toJsonValue(candidate), limits.maxRecordBytes);
  if (fits(record)) return record;
  let bytes = limits.maxFieldBytes;
  let largest = measureLargestField(record, bytes);
  let smaller: ExecutionRecord = { ...record, truncated: true };
  for (;;) {
    if (bytes < largest) {
      smaller = limitRecord(record, bytes);
      if (fits(smaller)) return smaller;
      largest = measureLargestField(smaller, bytes);
    }
    if (bytes <= SMALLEST_FIELD_BYTES) return withFewerSteps(smaller, limits.maxRecordBytes);
    bytes /= 2;
  }
};

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

const formatTime = (ms: number): string => new Date(ms).toISOString();

/** Clocks may be set back while something runs. */
const computeDuration = (from: number, to: number): number => Math.max(0, to - from);

const toStepRecord = (entry: StepEntry): StepRecord => ({
  step_id: entry.id,
  ...(entry.iteration !== undefined && { iteration: entry.iteration }),
  tool: entry.tool,
  status: entry.status,
  started_at: formatTime(entry.startedAt),
  completed_at: formatTime(entry.completedAt),
  duration_ms: computeDuration(entry.startedAt, entry.completedAt),
  input: entry.input ?? NO_INPUT,
  ...(entry.result !== undefined && { result: entry.result }),
  ...(entry.error !== undefined && { error: entry.error }),
  ...(entry.storedAs !== undefined && { stored_as: entry.storedAs }),
});

const findError = (end: RunEnd): string | undefined => {
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

const toIdentity = ({ executionId, workflow, startedBy }: Omit<StartedRun, 'input'>): Identity => ({
  execution_id: executionId,
  workflow_name: workflow.metadata.name,
  ...(startedBy !== undefined && { started_by: startedBy }),
});

export const createStartedRecord = (run: StartedRun): ExecutionRecord =>
  toRetainedRecord({
    ...toIdentity(run),
    status: 'inprogress',
    started_at: formatTime(run.startedAt),
    duration_ms: 0,
    input: run.input,
    steps: [],
  });

/** Returns the record of a completed run: its document, and every step with its own times, arguments and result. */
export const createRecord = (
  run: FinishedRun,
  document = createDeliveredDocument(run),
): ExecutionRecord => {
  const error = findError(run.end) ?? document.error;
  return toRetainedRecord({
    ...toIdentity(run),
    status: error === undefined ? 'completed' : 'failed',
    started_at: formatTime(run.startedAt),
    completed_at: formatTime(run.completedAt),
    duration_ms: computeDuration(run.startedAt, run.completedAt),
    input: run.input,
    result: document.value,
    ...(error !== undefined && { error }),
    steps: run.entries.map(toStepRecord),
  });
};
