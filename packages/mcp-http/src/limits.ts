/** Bounds of one MCP endpoint; every one of them ends in a clear refusal, never in a crash or a hang. */
export interface McpHttpLimits {
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
  /** Bytes of request bodies held at one moment, over all requests that are still being read. */
  readonly maxBufferedBodyBytes: number;
  /** `tools/call` requests that run at one moment. */
  readonly maxConcurrentCalls: number;
  /** Messages in one JSON-RPC batch. */
  readonly maxBatch: number;
  /** Levels of arrays and objects in a request body. */
  readonly maxNesting: number;
  /** Header lines of one request. */
  readonly maxHeaderLines: number;
  /** Sessions kept at one moment; the longest idle one gives way to a new one. */
  readonly maxSessions: number;
  /** Open `GET` streams of one session; the oldest gives way to a new one. */
  readonly maxStreamsPerSession: number;
  /** Milliseconds after which a session without calls and streams ends. */
  readonly sessionIdleMs: number;
  /** Milliseconds that one `tools/call` may take. */
  readonly callTimeoutMs: number;
  /** Milliseconds between the comments that keep an event stream alive. */
  readonly keepAliveMs: number;
  /** Bytes that a slow reader may leave unread before progress is dropped and idle streams are cut. */
  readonly maxUnreadBytes: number;
  /** Milliseconds that a reader has to take a finished answer. */
  readonly writeTimeoutMs: number;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/** The bounds that hold where none are given. */
export const DEFAULT_MCP_HTTP_LIMITS: McpHttpLimits = {
  maxBodyBytes: 4 * MIB,
  maxBufferedBodyBytes: 64 * MIB,
  maxConcurrentCalls: 256,
  maxBatch: 64,
  maxNesting: 128,
  maxHeaderLines: 200,
  maxSessions: 1_000,
  maxStreamsPerSession: 4,
  sessionIdleMs: 30 * MINUTE_MS,
  callTimeoutMs: 5 * MINUTE_MS,
  keepAliveMs: 15_000,
  maxUnreadBytes: MIB,
  writeTimeoutMs: MINUTE_MS,
};
