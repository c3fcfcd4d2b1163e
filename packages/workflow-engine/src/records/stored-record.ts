import { type ExecutionRecord, type JsonValue, parseExecutionRecord } from '@gateway/crd-schemas';
import {
  type ExecutionListPage,
  type ExecutionListQuery,
  type ExecutionSummary,
  isRunMatch,
  toExecutionSummary,
} from './execution-summary.ts';
import { countJsonBytes } from '../model/json-size.ts';

/** The part of a run that is in memory. */
export interface RecordEntry {
  readonly summary: ExecutionSummary;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly bytes: number;
  /** The whole record, while the storage does not have it. */
  readonly held?: ExecutionRecord;
  /** True when the storage has a version of it. */
  readonly stored: boolean;
  /** True when this process runs it: otherwise it will never end. */
  readonly ours: boolean;
}

/** The position of a run in the order; its entry is replaced in place. */
interface Place {
  entry: RecordEntry;
}

/** An index of runs by id and in the order of their start, with the totals of their sizes. */
export class RecordIndex {
  readonly #byId = new Map<string, Place>();
  /** Oldest first; of two runs with the same start, the first one stored first. */
  readonly #inOrder: Place[] = [];
  #totalBytes = 0;
  #memoryBytes = 0;

  get size(): number {
    return this.#inOrder.length;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get(id: string): RecordEntry | undefined {
    return this.#byId.get(id)?.entry;
  }

  /** Returns the entry with the earliest start among those that match. */
  oldest(matches: (entry: RecordEntry) => boolean = () => true): RecordEntry | undefined {
    return this.#inOrder.find(({ entry }) => matches(entry))?.entry;
  }

  entries(): readonly RecordEntry[] {
    return this.#inOrder.map(({ entry }) => entry);
  }

  set(entry: RecordEntry): void {
    const id = entry.summary.execution_id;
    const place = this.#byId.get(id);
    if (place?.entry.startedAt === entry.startedAt) {
      this.#count(place.entry, -1);
      place.entry = entry;
    } else {
      this.remove(id);
      this.#add(entry);
    }
    this.#count(entry, 1);
  }

  remove(id: string): void {
    const place = this.#byId.get(id);
    if (place === undefined) return;
    this.#count(place.entry, -1);
    this.#byId.delete(id);
    this.#inOrder.splice(this.#inOrder.indexOf(place), 1);
  }

  /** Newest first. */
  page(query: ExecutionListQuery): ExecutionListPage {
    const executions: ExecutionSummary[] = [];
    let total = 0;
    for (let at = this.#inOrder.length - 1; at >= 0; at -= 1) {
      const summary = this.#inOrder[at]?.entry.summary;
      if (summary === undefined || !isRunMatch(summary, query)) continue;
      if (total >= query.offset && executions.length < query.limit) executions.push(summary);
      total += 1;
    }
    return { executions, total };
  }

  #add(entry: RecordEntry): void {
    const place = { entry };
    this.#byId.set(entry.summary.execution_id, place);
    this.#inOrder.splice(this.#indexFor(entry), 0, place);
  }

  /** Runs are put as they start, so this is nearly always the end. */
  #indexFor({ startedAt }: RecordEntry): number {
    return this.#inOrder.findLastIndex(({ entry }) => entry.startedAt <= startedAt) + 1;
  }

  #count(entry: RecordEntry, sign: 1 | -1): void {
    this.#totalBytes += sign * entry.bytes;
    if (entry.held !== undefined) this.#memoryBytes += sign * entry.bytes;
  }
}

/** The error of a run whose process ended before it did. */
const INTERRUPTED = 'the process that ran this workflow ended before the workflow did';

/** Returns the value of a text in JSON; undefined for any other text. */
const parseJsonText = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** No record is written with more characters, independent of the configured limit. */
const MAX_STORED_CHARS = 16 * 1024 * 1024;

/** Returns the record in a text, if it belongs to this id; undefined otherwise. */
const findRecord = (id: string, value: unknown): ExecutionRecord | undefined => {
  const parsed = parseExecutionRecord(value);
  return parsed.ok && parsed.value.execution_id === id ? parsed.value : undefined;
};

/** Reads what was stored under an identity; undefined when that is not the record of this run. */
export const readStoredRecord = (id: string, text: string): ExecutionRecord | undefined =>
  text.length > MAX_STORED_CHARS ? undefined : findRecord(id, parseJsonText(text));

const findSteps = (value: unknown): readonly unknown[] | undefined => {
  if (typeof value !== 'object' || value === null || !('steps' in value)) return undefined;
  return Array.isArray(value.steps) ? value.steps : undefined;
};

/** Returns the summary of a stored record. Steps are counted without parsing them, because there may be many. */
export const readStoredSummary = (id: string, text: string): ExecutionSummary | undefined => {
  if (text.length > MAX_STORED_CHARS) return undefined;
  const value = parseJsonText(text);
  const steps = findSteps(value);
  if (steps === undefined) return undefined;
  const record = findRecord(id, { ...(value as object), steps: [] });
  if (record === undefined) return undefined;
  const summary = toExecutionSummary(toEndedRecord(record));
  return { ...summary, step_count: summary.step_count + steps.length };
};

/** Returns the record of a run whose process has ended: a run in progress has failed, because it will never end. */
export const toEndedRecord = (record: ExecutionRecord): ExecutionRecord =>
  record.status === 'inprogress' ? { ...record, status: 'failed', error: INTERRUPTED } : record;

export const countRecordBytes = (record: ExecutionRecord): number =>
  countJsonBytes(record as unknown as JsonValue, Number.MAX_SAFE_INTEGER);

/** Cutting an error may halve a surrogate pair, which UTF-8 cannot express. */
const replaceSurrogates = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;

/** Returns the facts of a record that lists and limits need, as text. */
export const formatRecordSummary = (record: ExecutionRecord): string =>
  JSON.stringify(
    { ...toExecutionSummary(record), bytes: countRecordBytes(record) },
    replaceSurrogates,
  );

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Returns the entry of a run that another process may have written; undefined when the text is not its summary. */
export const parseRecordEntry = (id: string, text: string): RecordEntry | undefined => {
  const value = parseJsonText(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { step_count: steps, bytes, ...facts } = value as Readonly<Record<string, unknown>>;
  if (!isCount(steps) || !isCount(bytes)) return undefined;
  const parsed = parseExecutionRecord({ ...facts, steps: [], input: {} });
  if (!parsed.ok || parsed.value.execution_id !== id) return undefined;
  const summary = { ...toExecutionSummary(parsed.value), step_count: steps };
  const startedAt = Date.parse(summary.started_at);
  return { summary, startedAt, bytes, stored: true, ours: false };
};
