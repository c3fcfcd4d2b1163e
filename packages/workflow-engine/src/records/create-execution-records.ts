import type { ExecutionRecord } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import type { ExecutionListPage, ExecutionListQuery } from './execution-summary.ts';
import { RecordArchive } from './record-archive.ts';
import type { RecordBlobs } from './record-blobs.ts';
import { RETENTION_LIMITS, type RetentionLimits } from './record-limits.ts';

/** What the memory of runs needs. */
export interface ExecutionRecordsOptions {
  /** Where records outlive the process; without it they are in memory only. */
  readonly blobs?: RecordBlobs | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** One line for the log. */
  readonly warn: (text: string) => void;
  readonly limits?: Partial<RetentionLimits> | undefined;
  /** Told of each run that ended once the storage has its record. */
  readonly report?: EventSink | undefined;
}

/** Remembers runs, within bounds. Nothing here throws or rejects: a run never fails because of its record. */
export interface ExecutionRecords {
  /** Remembers a run, in place of what was known of it. */
  put(record: ExecutionRecord): void;
  /** Newest first. */
  list(query: ExecutionListQuery): ExecutionListPage;
  get(id: string): Promise<ExecutionRecord | undefined>;
  /** Learns what earlier processes stored. What is no record is left alone. */
  load(): Promise<void>;
  /** Forgets what is too old or too much, and tries once more to store what could not be stored. To be called every hour. */
  sweep(): void;
  /** Resolves once everything that was put is in the storage, or could not be. */
  settled(): Promise<void>;
}

/** Opens a memory of runs: the newest are kept, up to bounds of age, number and size. */
export const createExecutionRecords = (options: ExecutionRecordsOptions): ExecutionRecords => {
  const archive = new RecordArchive({
    blobs: options.blobs,
    now: options.now,
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
  };
};
