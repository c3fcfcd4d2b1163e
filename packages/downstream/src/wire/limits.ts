/** Bounds on time that a downstream connection keeps, all in milliseconds. */
export interface DownstreamTimeouts {
  /** From spawning a stdio child to its tools being listed. */
  readonly stdioStartMs: number;
  /** Upper bound of the question which protocol era a server speaks. */
  readonly eraProbeMs: number;
  /** One tool call, resource read or prompt. */
  readonly requestMs: number;
  /** One complete re-listing after `list_changed`. */
  readonly relistMs: number;
  /** After this long a server that is still starting no longer holds back `settled()`. */
  readonly settleMs: number;
  /** From closing a child's stdin to SIGTERM, and from there to SIGKILL. */
  readonly closeGraceMs: number;
  /** Between two looks at whether a connected server is well; a third of it while the last look went wrong. */
  readonly healthIntervalMs: number;
}

/** Bounds on what a downstream server may send. */
export interface DownstreamBounds {
  /** One message: a line of a stdio server, an HTTP answer or one of its events. */
  readonly maxMessageBytes: number;
  /** Requests under way at once to one remote server, each on a connection of its own; more of them wait. */
  readonly maxConnectionsPerServer: number;
  /** Pages of one list. */
  readonly maxListPages: number;
  /** Entries of one list. */
  readonly maxListItems: number;
  /** An entry of a list, names and values together, in UTF-16 units. A longer entry is left out. */
  readonly maxEntryChars: number;
  /** A description in an entry of a list, in UTF-16 units. A longer one is cut, with a mark. */
  readonly maxDescriptionChars: number;
  /** Servers that start at once; the others wait for a slot. */
  readonly maxConcurrentStarts: number;
}

/** How long to wait before the next attempt. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /** A connection that lived this long starts counting from zero again. */
  readonly stableAfterMs: number;
  /** Between two looks for an executable or an endpoint that was not there; a server is started as soon as it is. */
  readonly checkMs: number;
}

/** When a connected server counts as well. */
export interface HealthPolicy {
  /** A look without an answer for this long has failed, in milliseconds. */
  readonly timeoutMs: number;
  /** An answer that took this long counts as a failed look, in milliseconds. */
  readonly slowMs: number;
  /** Failed looks in a row that make a server unhealthy. */
  readonly failures: number;
  /** Good looks in a row that make it healthy again. */
  readonly successes: number;
  /** Looks in a row without any sign of life after which the connection is made anew. */
  readonly replaceAfter: number;
}

/** How often a server's lists are read again. */
export interface RelistPolicy {
  /** Quiet time after a change before reading. */
  readonly debounceMs: number;
  /** From the end of one reading to the start of the next. */
  readonly minIntervalMs: number;
}

/** Defaults for production. @spec §8 leaves these open */
export const DEFAULT_TIMEOUTS: DownstreamTimeouts = {
  stdioStartMs: 10_000,
  eraProbeMs: 5_000,
  requestMs: 300_000,
  relistMs: 30_000,
  settleMs: 15_000,
  closeGraceMs: 1_000,
  healthIntervalMs: 30_000,
};

/** Defaults for production. */
export const DEFAULT_BOUNDS: DownstreamBounds = {
  maxMessageBytes: 64 * 1024 * 1024,
  maxConnectionsPerServer: 256,
  maxListPages: 1_000,
  maxListItems: 50_000,
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
