import { parseExecutionRecord, type ExecutionRecord } from '@gateway/crd-schemas';

/** What a run says whose process ended before it did. */
export const INTERRUPTED = 'the process that ran this workflow ended before the workflow did';

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** No record is written that large, whatever bound is set. */
const MAX_STORED_CHARS = 16 * 1024 * 1024;

/** Reads what was stored under an identity; undefined when that is not the record of this run. */
export const readStoredRecord = (id: string, text: string): ExecutionRecord | undefined => {
  if (text.length > MAX_STORED_CHARS) return undefined;
  const parsed = parseExecutionRecord(jsonOf(text));
  return parsed.ok && parsed.record.execution_id === id ? parsed.record : undefined;
};

/** A run of a process that is gone: nobody will end it any more, so that one in progress has failed. */
export const endedRecord = (record: ExecutionRecord): ExecutionRecord =>
  record.status === 'inprogress' ? { ...record, status: 'failed', error: INTERRUPTED } : record;
