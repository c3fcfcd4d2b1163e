/** Limits of recorded events. */
export interface RecorderLimits {
  /** Maximum number of events of one kind; 5,000. Kinds have separate limits, so frequent workflow events do not displace server events. */
  readonly maxEvents: number;
  /** Window in which identical events are aggregated, from the first one, in milliseconds; 10 minutes. */
  readonly aggregationMs: number;
}

/** Default limits. */
export const RECORDER_LIMITS: RecorderLimits = { maxEvents: 5_000, aggregationMs: 600_000 };

/** Maximum number of events that wait for the load. */
export const MAX_EARLY_EVENTS = 1_000;

/** Maximum number of lines of one write. */
export const MAX_LINES_PER_WRITE = 1_000;
