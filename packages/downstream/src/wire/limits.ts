/** Defaults for production, in milliseconds. @spec §8 leaves these open */
export const DEFAULT_TIMEOUTS = {
  /** From spawning a stdio server to the end of listing its tools, for servers without `spec.startTimeout`. */
  stdioStartMs: 60_000,
  /** From SIGTERM to SIGKILL for a stdio server that has not sent any message, because it may be installing. */
  startGraceMs: 10_000,
  /** Time without an answer to the era probe after which a stdio server gets `initialize` too. */
  eraProbeMs: 5_000,
  /** Maximum duration of one tool call, resource read or prompt. */
  requestMs: 300_000,
  /** Maximum duration of listing again after `list_changed`. */
  relistMs: 30_000,
  /** Maximum time for which a starting server delays `settled()`. */
  settleMs: 5_000,
  /** From closing stdin to SIGTERM, and from there to SIGKILL. */
  closeGraceMs: 1_000,
  /** Interval between two health checks; a third of it after a failed check. */
  healthIntervalMs: 30_000,
};

export type DownstreamTimeouts = Readonly<typeof DEFAULT_TIMEOUTS>;

export const DEFAULT_BOUNDS = {
  /** Maximum size of one message: a line of a stdio server, an HTTP answer or one of its events. */
  maxMessageBytes: 64 * 1024 * 1024,
  /** Maximum number of concurrent requests to one remote server, each on its own connection; further requests wait. */
  maxConnectionsPerServer: 256,
  /** Maximum number of pages per list. */
  maxListPages: 1_000,
  /** Maximum number of entries per list. */
  maxListItems: 50_000,
  /** Maximum length of a list, names and values of all its entries together, in UTF-16 units. */
  maxListChars: 64 * 1024 * 1024,
  /** Maximum length of an entry, names and values together, in UTF-16 units. A longer entry is omitted. */
  maxEntryChars: 1024 * 1024,
  /** Maximum length of a description in UTF-16 units. A longer one is truncated with a mark. */
  maxDescriptionChars: 16 * 1024,
  /** Maximum number of servers that start concurrently; the others wait for a slot. */
  maxConcurrentStarts: 24,
};

export type DownstreamBounds = Readonly<typeof DEFAULT_BOUNDS>;

export const DEFAULT_BACKOFF = {
  firstMs: 1_000,
  maxMs: 60_000,
  /** Servers that failed together do not retry together. */
  jitter: 0.5,
  /** A connection that lasted this long resets the backoff. */
  stableAfterMs: 60_000,
  /** Interval between two checks for a missing executable or endpoint; the server starts as soon as it exists. */
  checkMs: 1_500,
};

export type BackoffPolicy = Readonly<typeof DEFAULT_BACKOFF>;

export const DEFAULT_HEALTH = {
  /** A health check without an answer for this long has failed, in milliseconds. */
  timeoutMs: 10_000,
  /** An answer that took this long counts as a failed health check, in milliseconds. */
  slowMs: 5_000,
  /** Consecutive failed health checks before a server is unhealthy. */
  failures: 3,
  /** Consecutive successful health checks before it is healthy again. */
  successes: 2,
  /** Consecutive health checks without any message of the server before the connection is replaced. */
  replaceAfter: 6,
};

export type HealthPolicy = Readonly<typeof DEFAULT_HEALTH>;

export const DEFAULT_RELIST = {
  /** Quiet time after a change before reading. */
  debounceMs: 50,
  /** Minimum pause between two readings. */
  minIntervalMs: 1_000,
};

export type RelistPolicy = Readonly<typeof DEFAULT_RELIST>;
