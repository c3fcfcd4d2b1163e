/** Time bounds of a downstream connection, in milliseconds. */
export interface DownstreamTimeouts {
  /** From spawning a stdio server to the end of listing its tools, for servers without `spec.startTimeout`. */
  readonly stdioStartMs: number;
  /** From SIGTERM to SIGKILL for a stdio server that has not sent any message, because it may be installing. */
  readonly startGraceMs: number;
  /** Time without an answer to the era probe after which a stdio server gets `initialize` too. */
  readonly eraProbeMs: number;
  /** Maximum duration of one tool call, resource read or prompt. */
  readonly requestMs: number;
  /** Maximum duration of listing again after `list_changed`. */
  readonly relistMs: number;
  /** Maximum time for which a starting server delays `settled()`. */
  readonly settleMs: number;
  /** From closing stdin to SIGTERM, and from there to SIGKILL. */
  readonly closeGraceMs: number;
  /** Interval between two health checks; a third of it after a failed check. */
  readonly healthIntervalMs: number;
}

/** Bounds on the messages of a downstream server. */
export interface DownstreamBounds {
  /** Maximum size of one message: a line of a stdio server, an HTTP answer or one of its events. */
  readonly maxMessageBytes: number;
  /** Maximum number of concurrent requests to one remote server, each on its own connection; further requests wait. */
  readonly maxConnectionsPerServer: number;
  /** Maximum number of pages per list. */
  readonly maxListPages: number;
  /** Maximum number of entries per list. */
  readonly maxListItems: number;
  /** Maximum length of a list, names and values of all its entries together, in UTF-16 units. */
  readonly maxListChars: number;
  /** Maximum length of an entry, names and values together, in UTF-16 units. A longer entry is omitted. */
  readonly maxEntryChars: number;
  /** Maximum length of a description in UTF-16 units. A longer one is truncated with a mark. */
  readonly maxDescriptionChars: number;
  /** Maximum number of servers that start concurrently; the others wait for a slot. */
  readonly maxConcurrentStarts: number;
}

/** The delay before the next attempt. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /** A connection that lasted this long resets the backoff. */
  readonly stableAfterMs: number;
  /** Interval between two checks for a missing executable or endpoint; the server starts as soon as it exists. */
  readonly checkMs: number;
}

/** The rules for the health of a connected server. */
export interface HealthPolicy {
  /** A health check without an answer for this long has failed, in milliseconds. */
  readonly timeoutMs: number;
  /** An answer that took this long counts as a failed health check, in milliseconds. */
  readonly slowMs: number;
  /** Consecutive failed health checks before a server is unhealthy. */
  readonly failures: number;
  /** Consecutive successful health checks before it is healthy again. */
  readonly successes: number;
  /** Consecutive health checks without any message of the server before the connection is replaced. */
  readonly replaceAfter: number;
}

/** The intervals of listing again. */
export interface RelistPolicy {
  /** Quiet time after a change before reading. */
  readonly debounceMs: number;
  /** Minimum pause between two readings. */
  readonly minIntervalMs: number;
}

/** Defaults for production. @spec §8 leaves these open */
export const DEFAULT_TIMEOUTS: DownstreamTimeouts = {
  stdioStartMs: 60_000,
  startGraceMs: 10_000,
  eraProbeMs: 5_000,
  requestMs: 300_000,
  relistMs: 30_000,
  settleMs: 5_000,
  closeGraceMs: 1_000,
  healthIntervalMs: 30_000,
};

/** Defaults for production. */
export const DEFAULT_BOUNDS: DownstreamBounds = {
  maxMessageBytes: 64 * 1024 * 1024,
  maxConnectionsPerServer: 256,
  maxListPages: 1_000,
  maxListItems: 50_000,
  maxListChars: 64 * 1024 * 1024,
  maxEntryChars: 1024 * 1024,
  maxDescriptionChars: 16 * 1024,
  maxConcurrentStarts: 24,
};

/** Defaults for production. */
export const DEFAULT_BACKOFF: BackoffPolicy = {
  initialMs: 1_000,
  maxMs: 60_000,
  stableAfterMs: 60_000,
  checkMs: 1_500,
};

/** Defaults for production. */
export const DEFAULT_HEALTH: HealthPolicy = {
  timeoutMs: 10_000,
  slowMs: 5_000,
  failures: 3,
  successes: 2,
  replaceAfter: 6,
};

/** Defaults for production. */
export const DEFAULT_RELIST: RelistPolicy = { debounceMs: 50, minIntervalMs: 1_000 };
