import type { ExecutionRecord } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import { BlobQueue, type PendingBlob } from './blob-queue.ts';
import { summaryOf, type ExecutionListPage, type ExecutionListQuery } from './execution-summary.ts';
import type { RecordBlobs } from './record-blobs.ts';
import { RecordIndex, type RecordEntry } from './record-index.ts';
import type { RetentionLimits } from './record-limits.ts';
import type { RecordTimer } from './record-timer.ts';
import { retainedRecord } from './retained-record.ts';
import { SharedRecords } from './shared-records.ts';
import { reasonOf, StorageWarnings } from './storage-warnings.ts';
import { endedRecord, readStoredRecord, readStoredSummary } from './stored-record.ts';
import { bytesOf } from './summary-text.ts';

/** The dependencies of an archive. */
export interface RecordArchiveOptions {
  readonly blobs: RecordBlobs | undefined;
  readonly now: () => number;
  readonly timer: RecordTimer | undefined;
  readonly warn: (text: string) => void;
  readonly limits: RetentionLimits;
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
 * Stores an index of runs in memory and their records in a storage, or in memory without a storage. A record stays in memory
 * until the storage has it. The oldest records are removed first.
 */
export class RecordArchive {
  readonly #blobs: RecordBlobs | undefined;
  readonly #now: () => number;
  readonly #limits: RetentionLimits;
  readonly #problems: StorageWarnings;
  readonly #report: EventSink | undefined;
  readonly #index = new RecordIndex();
  readonly #queue: BlobQueue | undefined;
  readonly #shared: SharedRecords | undefined;

  constructor({ blobs, now, timer, warn, limits, report }: RecordArchiveOptions) {
    this.#report = report;
    this.#blobs = blobs;
    this.#now = now;
    this.#limits = limits;
    this.#problems = new StorageWarnings(warn, now);
    this.#queue =
      blobs &&
      new BlobQueue({
        blobs,
        wanted: (id) => this.#wanted(id),
        onWritten: (id, record) => this.#written(id, record),
        onRemoved: () => this.#problems.succeeded('remove'),
        onFailed: (kind, error) => this.#problems.failed(kind, reasonOf(error)),
        ...(blobs.shared && timer && { pacing: { timer, ...SHARED_PACING } }),
      });
    this.#shared =
      blobs?.shared &&
      new SharedRecords({
        ...{ shared: blobs.shared, index: this.#index, problems: this.#problems },
        onChange: () => this.#trim(),
      });
  }

  put(given: ExecutionRecord): Promise<void> {
    const record = retainedRecord(given, this.#limits);
    const id = record.execution_id;
    this.#index.set({
      summary: summaryOf(record),
      startedAt: Date.parse(record.started_at),
      bytes: bytesOf(record),
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
    return after === undefined || stored === undefined || after.ours ? stored : endedRecord(stored);
  }

  /** Reads a record that another process may have written just now. */
  async #getShared(id: string): Promise<ExecutionRecord | undefined> {
    const stored = await this.#read(id);
    return this.#index.get(id)?.held ?? stored;
  }

  async load(): Promise<void> {
    if (this.#shared !== undefined) return this.#shared.follow();
    const ids = await this.#storedIds();
    const readers = Array.from({ length: READERS }, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) await this.#learn(id);
    });
    await Promise.all(readers);
    this.#trim();
  }

  sweep(): void {
    this.#blobs?.shared?.report();
    this.#trim();
    for (const { held, summary } of this.#index.entries()) {
      if (held !== undefined) this.#queue?.touch(summary.execution_id);
    }
  }

  settled(): Promise<void> {
    return this.#queue?.settled() ?? Promise.resolve();
  }

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

  #wanted(id: string): PendingBlob {
    const entry = this.#index.get(id);
    if (entry === undefined) return NOTHING;
    return entry.held === undefined ? SAME : { kind: 'record', record: entry.held };
  }

  #written(id: string, record: ExecutionRecord): void {
    this.#problems.succeeded('write');
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
      this.#problems.succeeded('list');
      return ids;
    } catch (error) {
      this.#problems.failed('list', reasonOf(error));
      return [];
    }
  }

  async #read(id: string): Promise<ExecutionRecord | undefined> {
    const text = await this.#textOf(id);
    return text === undefined ? undefined : this.#known(id, readStoredRecord(id, text));
  }

  async #learn(id: string): Promise<void> {
    if (this.#index.get(id) !== undefined) return;
    const text = await this.#textOf(id);
    // The record may have been stored since the read started.
    if (text === undefined || this.#index.get(id) !== undefined) return;
    const summary = this.#known(id, readStoredSummary(id, text));
    if (summary === undefined) return;
    const startedAt = Date.parse(summary.started_at);
    this.#index.set({ summary, startedAt, bytes: text.length, stored: true, ours: false });
  }

  async #textOf(id: string): Promise<string | undefined> {
    try {
      const text = await this.#blobs?.read(id);
      this.#problems.succeeded('read');
      return text;
    } catch (error) {
      this.#problems.failed('read', reasonOf(error));
      return undefined;
    }
  }

  /** Returns the record that was read, or logs a warning that the text is not a record. */
  #known<T>(id: string, read: T | undefined): T | undefined {
    if (read === undefined) this.#problems.failed('broken', id);
    return read;
  }
}
