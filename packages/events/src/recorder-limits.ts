/** Bounds of what is remembered. */
export interface RecorderLimits {
  /** Events of one kind; 5,000. Kinds do not push out one another: busy workflows leave the servers' events alone. */
  readonly maxEvents: number;
  /** How long equal events are counted as one, from the first of them, in milliseconds; 10 minutes. */
  readonly aggregationMs: number;
}

/** What holds where nothing else is asked for. */
export const RECORDER_LIMITS: RecorderLimits = { maxEvents: 5_000, aggregationMs: 600_000 };

/** Events that wait while what is kept is read. */
export const MAX_EARLY_EVENTS = 1_000;

/** Lines that are written at once. */
export const MAX_LINES_PER_WRITE = 1_000;
