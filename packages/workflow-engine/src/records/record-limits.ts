/** Bounds of one record. Bytes are those of compact JSON in UTF-8. */
export interface RecordLimits {
  readonly maxRecordBytes: number;
  /** A field above this is taken out of a record that is too large. */
  readonly maxFieldBytes: number;
}

/** A record keeps everything up to 256 KiB; above that, no field is larger than 32 KiB. */
export const RECORD_LIMITS: RecordLimits = {
  maxRecordBytes: 256 * 1024,
  maxFieldBytes: 32 * 1024,
};
