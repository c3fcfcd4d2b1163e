/** Figures of an endpoint at one moment. */
export interface McpHttpStats {
  readonly sessions: number;
  /** Open `GET` streams. */
  readonly streams: number;
  /** Running `tools/call` requests. */
  readonly inFlight: number;
  /** Those that wait for other calls of their caller. */
  readonly queuedCalls: number;
  /** Bytes of request bodies that are being read. */
  readonly bufferedBodyBytes: number;
  /** Bytes of answers that clients have not read. */
  readonly unreadBytes: number;
}
