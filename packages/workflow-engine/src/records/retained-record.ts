import type { ExecutionRecord, JsonMap, JsonValue, StepRecord } from '@gateway/crd-schemas';
import { fitsInBytes, jsonBytes } from '../json/json-bytes.ts';
import { stepCountsOf } from './step-counts.ts';
import { RECORD_LIMITS, type RecordLimits } from './record-limits.ts';

/** The text that replaces a removed field. */
const TRUNCATED = '[truncated: payload exceeded retention size limit]';

const TRUNCATED_INPUT: JsonMap = Object.freeze({ _truncated: TRUNCATED });

/** Errors are read by people: the beginning is the most useful part. */
const cutText = (text: string, maxBytes: number): string => {
  if (fitsInBytes(text, maxBytes)) return text;
  // A code unit takes at most six bytes as JSON; the cut never splits a surrogate pair.
  const head = text.slice(0, Math.max(0, Math.floor((maxBytes - TRUNCATED.length) / 6)));
  return `${head.replace(/[\ud800-\udbff]$/, '')}${TRUNCATED}`;
};

const valueWithinLimit = <V extends JsonValue>(value: V, maxBytes: number, instead: V): V =>
  fitsInBytes(value, maxBytes) ? value : instead;

interface Payload {
  readonly input: JsonMap;
  readonly result?: JsonValue;
  readonly error?: string;
}

/** Returns the payload without the fields that are larger than `maxBytes`. */
const smallerPayload = ({ input, result, error }: Payload, maxBytes: number): Payload => ({
  input: valueWithinLimit(input, maxBytes, TRUNCATED_INPUT),
  ...(result !== undefined && { result: valueWithinLimit(result, maxBytes, TRUNCATED) }),
  ...(error !== undefined && { error: cutText(error, maxBytes) }),
});

const smallerStep = (step: StepRecord, maxBytes: number): StepRecord => ({
  ...step,
  ...smallerPayload(step, maxBytes),
});

const smallerRecord = (record: ExecutionRecord, maxBytes: number): ExecutionRecord => ({
  ...record,
  ...smallerPayload(record, maxBytes),
  steps: record.steps.map((step) => smallerStep(step, maxBytes)),
  truncated: true,
});

/** Returns the first and the last steps, as many as fit: how a run began, and why it ended. */
const withFewerSteps = (record: ExecutionRecord, maxBytes: number): ExecutionRecord => {
  const { steps } = record;
  // No count of omitted steps is longer than the count of all.
  const all = stepCountsOf(record);
  let left = maxBytes - jsonBytes(asJson({ ...record, steps: [], omitted_steps: all }), maxBytes);
  let [head, tail] = [0, 0];
  for (let index = 0; head + tail < steps.length; index += 1) {
    const step = index % 2 === 0 ? steps[steps.length - 1 - tail] : steps[head];
    // One byte for the comma.
    left -= jsonBytes(asJson(step), Math.max(0, left)) + 1;
    if (left < 0) break;
    if (index % 2 === 0) tail += 1;
    else head += 1;
  }
  const omitted = steps.slice(head, steps.length - tail);
  return {
    ...record,
    steps: [...steps.slice(0, head), ...steps.slice(steps.length - tail)],
    omitted_steps: stepCountsOf({ ...record, steps: omitted }),
  };
};

/** Records are JSON; the interfaces do not express it. */
const asJson = (value: unknown): JsonValue => value as JsonValue;

/** A smaller limit of fields is not tried: steps are removed instead. */
const SMALLEST_FIELD_BYTES = 256;

const fieldsOf = ({ input, result, error }: Payload): readonly JsonValue[] =>
  [input, result, error].filter((field) => field !== undefined);

/** Returns the size of the largest field in bytes, or more than `limit`: a limit that is not smaller has no effect. */
const largestField = (record: ExecutionRecord, limit: number): number =>
  [record, ...record.steps]
    .flatMap(fieldsOf)
    .reduce<number>((largest, field) => Math.max(largest, jsonBytes(field, limit)), 0);

/**
 * Returns the record to retain. A record within the limits is complete. Otherwise fields above the limit are replaced by a text
 * that states it; if that is not enough, smaller fields too, and finally the steps in the middle are removed. Never larger than
 * the limit of a record.
 */
export const retainedRecord = (
  record: ExecutionRecord,
  limits: RecordLimits = RECORD_LIMITS,
): ExecutionRecord => {
  const fits = (candidate: ExecutionRecord): boolean =>
    fitsInBytes(asJson(candidate), limits.maxRecordBytes);
  if (fits(record)) return record;
  let bytes = limits.maxFieldBytes;
  let largest = largestField(record, bytes);
  let smaller: ExecutionRecord = { ...record, truncated: true };
  for (;;) {
    if (bytes < largest) {
      smaller = smallerRecord(record, bytes);
      if (fits(smaller)) return smaller;
      largest = largestField(smaller, bytes);
    }
    if (bytes <= SMALLEST_FIELD_BYTES) return withFewerSteps(smaller, limits.maxRecordBytes);
    bytes /= 2;
  }
};
