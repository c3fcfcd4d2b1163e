import { parseExecutionRecord, type ExecutionRecord } from '@gateway/crd-schemas';
import { summaryOf, type ExecutionSummary } from './execution-summary.ts';

/** The error of a run whose process ended before it did. */
const INTERRUPTED = 'the process that ran this workflow ended before the workflow did';

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** No record is written with more characters, independent of the configured limit. */
const MAX_STORED_CHARS = 16 * 1024 * 1024;

/** Returns the record in a text, if it belongs to this id; undefined otherwise. */
const recordIn = (id: string, value: unknown): ExecutionRecord | undefined => {
  const parsed = parseExecutionRecord(value);
  return parsed.ok && parsed.record.execution_id === id ? parsed.record : undefined;
};

/** Reads what was stored under an identity; undefined when that is not the record of this run. */
export const readStoredRecord = (id: string, text: string): ExecutionRecord | undefined =>
  text.length > MAX_STORED_CHARS ? undefined : recordIn(id, jsonOf(text));

const stepsOf = (value: unknown): readonly unknown[] | undefined => {
  if (typeof value !== 'object' || value === null || !('steps' in value)) return undefined;
  return Array.isArray(value.steps) ? value.steps : undefined;
};

/** Returns the summary of a stored record. Steps are counted without parsing them, because there may be many. */
export const readStoredSummary = (id: string, text: string): ExecutionSummary | undefined => {
  if (text.length > MAX_STORED_CHARS) return undefined;
  const value = jsonOf(text);
  const steps = stepsOf(value);
  if (steps === undefined) return undefined;
  const record = recordIn(id, { ...(value as object), steps: [] });
  if (record === undefined) return undefined;
  const summary = summaryOf(endedRecord(record));
  return { ...summary, step_count: summary.step_count + steps.length };
};

/** Returns the record of a run whose process has ended: a run in progress has failed, because it will never end. */
export const endedRecord = (record: ExecutionRecord): ExecutionRecord =>
  record.status === 'inprogress' ? { ...record, status: 'failed', error: INTERRUPTED } : record;
