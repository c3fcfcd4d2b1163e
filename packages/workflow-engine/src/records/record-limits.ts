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
