/** Bounds of the HTTP server itself, below any endpoint. */
export interface HttpServerLimits {
  /** Open connections; one more is closed at once. */
  readonly maxConnections: number;
  /** Bytes of one request's header; more answers 431. */
  readonly maxHeaderBytes: number;
  /** Milliseconds until the header of a request must be complete; the next check answers 408. */
  readonly headersTimeoutMs: number;
  /** Milliseconds until a whole request must have arrived; the next check answers 408. */
  readonly requestTimeoutMs: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds between two checks of these times. Each wakes the process, also at rest. */
  readonly checkIntervalMs: number;
}

/** The bounds that hold where none are given: with the checks, 15 s for a header and 60 s for a request. */
export const DEFAULT_HTTP_SERVER_LIMITS: HttpServerLimits = {
  maxConnections: 2_048,
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 11_000,
  requestTimeoutMs: 56_000,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 4_000,
};
