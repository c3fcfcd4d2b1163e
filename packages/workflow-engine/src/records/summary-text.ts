import { parseExecutionRecord, type ExecutionRecord, type JsonValue } from '@gateway/crd-schemas';
import { jsonBytes } from '../json/json-bytes.ts';
import { summaryOf } from './execution-summary.ts';
import type { RecordEntry } from './record-index.ts';

/** Returns the size of a record as JSON. */
export const bytesOf = (record: ExecutionRecord): number =>
  jsonBytes(record as unknown as JsonValue, Number.MAX_SAFE_INTEGER);

/** Cutting an error may halve a surrogate pair, which UTF-8 cannot express. */
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;

/** Returns the facts of a record that lists and limits need, as text. */
export const summaryText = (record: ExecutionRecord): string =>
  JSON.stringify({ ...summaryOf(record), bytes: bytesOf(record) }, wellFormed);

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns the entry of a run that another process may have written; undefined when the text is not its summary. */
export const entryOf = (id: string, text: string): RecordEntry | undefined => {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { step_count: steps, bytes, ...facts } = value as Readonly<Record<string, unknown>>;
  if (!isCount(steps) || !isCount(bytes)) return undefined;
  const parsed = parseExecutionRecord({ ...facts, steps: [], input: {} });
  if (!parsed.ok || parsed.record.execution_id !== id) return undefined;
  const summary = { ...summaryOf(parsed.record), step_count: steps };
  const startedAt = Date.parse(summary.started_at);
  return { summary, startedAt, bytes, stored: true, ours: false };
};
