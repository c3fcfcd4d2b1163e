import type { RecordBlobs, RecordText, SharedBlobs, StoredSummary } from '@gateway/call-contract';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { BlobQueue, type PendingBlob, type RecordTimer } from './record-blobs.ts';
import {
  countRecordBytes,
  toEndedRecord,
  parseRecordEntry,
  readStoredRecord,
  readStoredSummary,
  type RecordEntry,
  RecordIndex,
  formatRecordSummary,
} from './stored-record.ts';
import type { EventSink } from '@gateway/events';
import {
  type ExecutionListPage,
  type ExecutionListQuery,
  toExecutionSummary,
} from './execution-summary.ts';
import { toRetainedRecord, RETENTION_LIMITS, type RetentionLimits } from './retained-record.ts';

/** The kinds of storage errors. */
export type StorageProblem = 'list' | 'read' | 'write' | 'remove' | 'broken';

const sentences: Readonly<Record<StorageProblem, string>> = {
  list: 'Stored records of workflow executions cannot be listed',
  read: 'Stored records of workflow executions cannot be read',
  write: 'Records of workflow executions cannot be stored and are kept in memory',
  remove: 'Stored records of workflow executions cannot be removed',
  broken:
    'An object among the stored records of workflow executions is not a valid record and is ignored',
};

const MAX_REASON_CHARS = 300;

/** Returns the first line of an error, shortened. */
const formatReason = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MAX_REASON_CHARS);
};

/** The time between two warnings of one kind, in milliseconds: a disk that is full now and then would fill the log as well. */
const WARNING_INTERVAL_MS = 60_000;

/** Warns of problems of a storage: once of each kind until an operation of this kind succeeds. */
class StorageWarnings {
  readonly #warn: (text: string) => void;
  readonly #now: () => number;
  /** When each kind was logged last. */
  readonly #loggedAt = new Map<StorageProblem, number>();
  readonly #ongoing = new Set<StorageProblem>();

  /** @param now the time in milliseconds */
  constructor(warn: (text: string) => void, now: () => number) {
    this.#warn = warn;
    this.#now = now;
  }

  readonly reportFailure = (kind: StorageProblem, what: string): void => {
    const now = this.#now();
    const isRecent = now - (this.#loggedAt.get(kind) ?? -Infinity) < WARNING_INTERVAL_MS;
    if (this.#ongoing.has(kind) || isRecent) return;
    this.#ongoing.add(kind);
    this.#loggedAt.set(kind, now);
    this.#warn(`${sentences[kind]}: ${what}`);
  };

  readonly reportSuccess = (kind: StorageProblem): void => {
    this.#ongoing.delete(kind);
  };
}

export interface SharedRecordsOptions {
  readonly shared: SharedBlobs;
  readonly index: RecordIndex;
  readonly problems: StorageWarnings;
  /** Called after each change of the index. */
  readonly onChange: () => void;
}

/** Returns the record of a run in progress after the end of its process. */
const endRecord = (id: string, text: string): RecordText | undefined => {
  const record: ExecutionRecord | undefined = readStoredRecord(id, text);
  if (record?.status !== 'inprogress') return undefined;
  const ended = toEndedRecord(record);
  return { text: JSON.stringify(ended), summary: formatRecordSummary(ended) };
};

/** Follows a storage that several processes write to: an index has the runs of all. */
class SharedRecords {
  readonly #options: SharedRecordsOptions;

  constructor(options: SharedRecordsOptions) {
    this.#options = options;
  }

  follow(): Promise<void> {
    const { shared, problems } = this.#options;
    return shared.follow({
      onStored: (stored) => this.#store(stored),
      onRemoved: (ids) => this.#remove(ids),
      onFailure: (error) => problems.reportFailure('list', formatReason(error)),
      onRecovery: () => problems.reportSuccess('list'),
      endRecord,
    });
  }

  #store(stored: readonly StoredSummary[]): void {
    const { index, problems, onChange } = this.#options;
    const entries = stored.flatMap(({ id, summary }) => {
      const entry = parseRecordEntry(id, summary);
      if (entry === undefined) problems.reportFailure('broken', id);
      return entry ?? [];
    });
    for (const entry of entries.toSorted((a, b) => a.startedAt - b.startedAt)) {
      const known = index.get(entry.summary.execution_id);
      // A record that waits for its write is newer.
      if (known?.held !== undefined) index.set({ ...known, stored: true });
      else index.set({ ...entry, ours: known?.ours ?? false });
    }
    onChange();
  }

  #remove(ids: readonly string[]): void {
    const { index } = this.#options;
    for (const id of ids) {
      const known = index.get(id);
      if (known?.held !== undefined) index.set({ ...known, stored: false });
      else index.remove(id);
    }
  }
}

export interface ExecutionRecordsOptions {
  /** The persistent storage of records; without it they are in memory only. */
  readonly blobs?: RecordBlobs | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** For a storage of several processes: delays and repeats writes. Without it, each is made at once, and only once. */
  readonly timer?: RecordTimer | undefined;
  /** Writes one line to the log. */
  readonly warn: (text: string) => void;
  readonly limits?: Partial<RetentionLimits> | undefined;
  /** Receives an event for each completed run once the storage has its record. */
  readonly report?: EventSink | undefined;
}

/** Number of stored records that are read concurrently. */
const READERS = 8;

/** A storage of several processes has at most one write per run and second, and none of the start of a shorter run. */
const SHARED_INTERVAL_MS = 1_000;
const SHARED_PACING = { intervalMs: SHARED_INTERVAL_MS, retryMs: SHARED_INTERVAL_MS };

const SAME: PendingBlob = Object.freeze({ kind: 'same' });
const NOTHING: PendingBlob = Object.freeze({ kind: 'nothing' });

const withoutRecord = ({ held: _held, ...entry }: RecordEntry): RecordEntry => entry;

/**
 * Remembers runs, within limits of age, number and size: an index in memory, and records in a storage or in memory without one. A record
 * stays in memory until the storage has it. The oldest records are removed first. Nothing here throws or rejects: a run never fails
 * because of its record.
 */
export class ExecutionRecords {
  readonly #blobs: RecordBlobs | undefined;
  readonly #now: () => number;
  readonly #limits: RetentionLimits;
  readonly #problems: StorageWarnings;
  readonly #report: EventSink | undefined;
  readonly #index = new RecordIndex();
  readonly #queue: BlobQueue | undefined;
  readonly #shared: SharedRecords | undefined;

  constructor({ blobs, now, timer, warn, limits, report }: ExecutionRecordsOptions) {
    this.#report = report;
    this.#blobs = blobs;
    this.#now = now;
    this.#limits = { ...RETENTION_LIMITS, ...limits };
    this.#problems = new StorageWarnings(warn, now);
    this.#queue =
      blobs &&
      new BlobQueue({
        blobs,
        findPending: (id) => this.#findPending(id),
        onWritten: (id, record) => this.#written(id, record),
        onRemoved: () => this.#problems.reportSuccess('remove'),
        onFailed: (kind, error) => this.#problems.reportFailure(kind, formatReason(error)),
        ...(blobs.shared && timer && { pacing: { timer, ...SHARED_PACING } }),
      });
    this.#shared =
      blobs?.shared &&
      new SharedRecords({
        shared: blobs.shared,
        index: this.#index,
        problems: this.#problems,
        onChange: () => this.#trim(),
      });
  }

  /**
   * Stores the record of a run, and replaces an earlier one. Resolves when the storage has it or has failed, and at once where several
   * processes share the storage: its writes are paced.
   */
  put(given: ExecutionRecord): Promise<void> {
    const record = toRetainedRecord(given, this.#limits);
    const id = record.execution_id;
    this.#index.set({
      summary: toExecutionSummary(record),
      startedAt: Date.parse(record.started_at),
      bytes: countRecordBytes(record),
      held: record,
      stored: this.#index.get(id)?.stored ?? false,
      ours: true,
    });
    const isStart = this.#shared !== undefined && record.status === 'inprogress';
    this.#queue?.touch(id, isStart ? SHARED_INTERVAL_MS : 0);
    this.#trim();
    const isAwaited = this.#queue !== undefined && this.#shared === undefined;
    return isAwaited ? this.#queue.written(id) : Promise.resolve();
  }

  /** Newest first. */
  list(query: ExecutionListQuery): ExecutionListPage {
    return this.#index.page(query);
  }

  async get(id: string): Promise<ExecutionRecord | undefined> {
    const entry = this.#index.get(id);
    if (entry?.held !== undefined) return entry.held;
    if (this.#shared !== undefined) return this.#getShared(id);
    if (entry === undefined) return undefined;
    const stored = await this.#read(id);
    // The run may have ended, or its record may be gone, since the read started.
    const after = this.#index.get(id);
    if (after?.held !== undefined) return after.held;
    return after === undefined || stored === undefined || after.ours
      ? stored
      : toEndedRecord(stored);
  }

  /** Reads a record that another process may have written just now. */
  async #getShared(id: string): Promise<ExecutionRecord | undefined> {
    const stored = await this.#read(id);
    return this.#index.get(id)?.held ?? stored;
  }

  /** Loads the records of earlier processes. Blobs that are not records are ignored. */
  async load(): Promise<void> {
    if (this.#shared !== undefined) return this.#shared.follow();
    const ids = await this.#storedIds();
    const readers = Array.from({ length: READERS }, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) await this.#learn(id);
    });
    await Promise.all(readers);
    this.#trim();
  }

  /** Forgets what is too old or too much, and tries once more to store what could not be stored. To be called every hour. */
  sweep(): void {
    this.#blobs?.shared?.report();
    this.#trim();
    for (const { held, summary } of this.#index.entries()) {
      if (held !== undefined) this.#queue?.touch(summary.execution_id);
    }
  }

  /** Resolves when everything that was put is in the storage or has failed. */
  settle(): Promise<void> {
    return this.#queue?.settle() ?? Promise.resolve();
  }

  /** Ends following a storage that several processes write to. */
  close(): void {
    this.#blobs?.shared?.close();
  }

  #trim(): void {
    const { maxAgeMs, maxRecords, maxTotalBytes, maxMemoryBytes } = this.#limits;
    const since = this.#now() - maxAgeMs;
    const isTooMuch = (oldest: RecordEntry): boolean =>
      oldest.startedAt < since ||
      this.#index.size > maxRecords ||
      this.#index.totalBytes > maxTotalBytes;
    for (
      let oldest = this.#index.oldest();
      oldest !== undefined && isTooMuch(oldest);
      oldest = this.#index.oldest()
    ) {
      this.#forget(oldest);
    }
    while (this.#index.memoryBytes > maxMemoryBytes) this.#letGoOfOldest();
  }

  #letGoOfOldest(): void {
    const entry = this.#index.oldest(({ held }) => held !== undefined);
    if (entry?.stored === true) this.#index.set(withoutRecord(entry));
    else if (entry !== undefined) this.#forget(entry);
  }

  #forget({ summary }: RecordEntry): void {
    this.#index.remove(summary.execution_id);
    this.#queue?.touch(summary.execution_id);
  }

  #findPending(id: string): PendingBlob {
    const entry = this.#index.get(id);
    if (entry === undefined) return NOTHING;
    return entry.held === undefined ? SAME : { kind: 'record', record: entry.held };
  }

  #written(id: string, record: ExecutionRecord): void {
    this.#problems.reportSuccess('write');
    if (record.status !== 'inprogress') {
      const name = record.workflow_name;
      this.#report?.({ reason: 'WorkflowExecutionTracked', name, execution: id });
    }
    const entry = this.#index.get(id);
    if (entry === undefined) return;
    const isNewest = entry.held === record;
    this.#index.set({ ...(isNewest ? withoutRecord(entry) : entry), stored: true });
  }

  async #storedIds(): Promise<string[]> {
    try {
      const ids = [...((await this.#blobs?.list()) ?? [])];
      this.#problems.reportSuccess('list');
      return ids;
    } catch (error) {
      this.#problems.reportFailure('list', formatReason(error));
      return [];
    }
  }

  async #read(id: string): Promise<ExecutionRecord | undefined> {
    const text = await this.#readText(id);
    return text === undefined ? undefined : this.#warnWhenBroken(id, readStoredRecord(id, text));
  }

  async #learn(id: string): Promise<void> {
    if (this.#index.get(id) !== undefined) return;
    const text = await this.#readText(id);
    // The record may have been stored since the read started.
    if (text === undefined || this.#index.get(id) !== undefined) return;
    const summary = this.#warnWhenBroken(id, readStoredSummary(id, text));
    if (summary === undefined) return;
    const startedAt = Date.parse(summary.started_at);
    this.#index.set({ summary, startedAt, bytes: text.length, stored: true, ours: false });
  }

  async #readText(id: string): Promise<string | undefined> {
    try {
      const text = await this.#blobs?.read(id);
      this.#problems.reportSuccess('read');
      return text;
    } catch (error) {
      this.#problems.reportFailure('read', formatReason(error));
      return undefined;
    }
  }

  /** Returns the record that was read, or logs a warning that the text is not a record. */
  #warnWhenBroken<T>(id: string, read: T | undefined): T | undefined {
    if (read === undefined) this.#problems.reportFailure('broken', id);
    return read;
  }
}
