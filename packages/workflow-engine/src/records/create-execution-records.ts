import type { ExecutionRecord } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import type { ExecutionListPage, ExecutionListQuery } from './execution-summary.ts';
import { RecordArchive } from './record-archive.ts';
import type { RecordBlobs } from './record-blobs.ts';
import { RETENTION_LIMITS, type RetentionLimits } from './record-limits.ts';
import type { RecordTimer } from './record-timer.ts';

/** The dependencies of execution records. */
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

/** Remembers runs, within bounds. Nothing here throws or rejects: a run never fails because of its record. */
export interface ExecutionRecords {
  /**
   * Stores the record of a run, and replaces an earlier one. Resolves when the storage has it or has failed, and at once where several
   * processes share the storage: its writes are paced.
   */
  put(record: ExecutionRecord): Promise<void>;
  /** Newest first. */
  list(query: ExecutionListQuery): ExecutionListPage;
  get(id: string): Promise<ExecutionRecord | undefined>;
  /** Loads the records of earlier processes. Blobs that are not records are ignored. */
  load(): Promise<void>;
  /** Forgets what is too old or too much, and tries once more to store what could not be stored. To be called every hour. */
  sweep(): void;
  /** Resolves when everything that was put is in the storage or has failed. */
  settled(): Promise<void>;
  /** Ends following a storage that several processes write to. */
  close(): void;
}

/** Creates a store of execution records: the newest are retained, within limits of age, number and size. */
export const createExecutionRecords = (options: ExecutionRecordsOptions): ExecutionRecords => {
  const archive = new RecordArchive({
    blobs: options.blobs,
    now: options.now,
    timer: options.timer,
    warn: options.warn,
    report: options.report,
    limits: { ...RETENTION_LIMITS, ...options.limits },
  });
  return {
    put: (record) => archive.put(record),
    list: (query) => archive.list(query),
    get: (id) => archive.get(id),
    load: () => archive.load(),
    sweep: () => archive.sweep(),
    settled: () => archive.settled(),
    close: () => archive.close(),
  };
};
