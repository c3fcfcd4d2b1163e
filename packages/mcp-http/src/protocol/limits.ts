/** Bounds of one MCP endpoint; every one of them ends in a clear refusal, never in a crash or a hang. */
export interface McpHttpLimits {
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number;
  /** Bytes of request bodies held at one moment, over all requests that are still being read. */
  readonly maxBufferedBodyBytes: number;
  /** Concurrent requests of `CALL_METHODS`. */
  readonly maxConcurrentCalls: number;
  /** Concurrent requests of `CALL_METHODS` of one caller. */
  readonly maxConcurrentCallsPerCaller: number;
  /** Further ones that wait for their turn. */
  readonly maxQueuedCallsPerCaller: number;
  /** Messages in one JSON-RPC batch. */
  readonly maxBatch: number;
  /** Levels of arrays and objects in a request body. */
  readonly maxNesting: number;
  /** Members, objects and arrays in a request body: the parser takes longer for many than for large ones. */
  readonly maxBodyValues: number;
  /** Header lines of one request. */
  readonly maxHeaderLines: number;
  /** Stored sessions; the least recently used one is evicted. */
  readonly maxSessions: number;
  /** Open `GET` streams of one session; the oldest is closed for a new one. */
  readonly maxStreamsPerSession: number;
  /** Milliseconds after which a session without calls and streams ends. */
  readonly sessionIdleMs: number;
  /** Milliseconds after which a session ends however much it is used. */
  readonly sessionMaxAgeMs: number;
  /** Milliseconds without use after which a session may be evicted for one that this process does not store yet. */
  readonly sessionRestMs: number;
  /** Ended sessions that are remembered, so that their ids are not taken again. */
  readonly maxEndedSessions: number;
  /** Milliseconds for which a client that lost its event stream may come back to it; a call behind it is cancelled after that. */
  readonly resumeWindowMs: number;
  /** Event streams of one session that a client may come back to. */
  readonly maxResumableStreams: number;
  /** Events of one session that are stored for streams that are resumed; the oldest are dropped. */
  readonly maxLoggedEvents: number;
  /** Characters of the stored events of one session, and of all sessions. */
  readonly maxLoggedBytes: number;
  readonly maxLoggedBytesTotal: number;
  /** Questions to the client of one session that wait for an answer at one moment. */
  readonly maxQuestionsPerSession: number;
  /** Milliseconds that a client has to answer a question. */
  readonly questionTimeoutMs: number;
  /** Calls of 2026-07-28 that wait for their caller's answers at one moment. */
  readonly maxSuspendedCalls: number;
  /** Milliseconds that the caller of a suspended call has to come back with answers. */
  readonly suspendedTimeoutMs: number;
  /** Times that one call may be suspended. */
  readonly maxInputRounds: number;
  /** Open event streams without a call: `GET` streams and `subscriptions/listen`. */
  readonly maxStreams: number;
  /** The same, of one caller. */
  readonly maxStreamsPerCaller: number;
  /** Open `subscriptions/listen` streams. More than `maxStreams`, whose streams addresses take from each other. */
  readonly maxListenStreams: number;
  /** Resources that one session or one `subscriptions/listen` stream may follow. */
  readonly maxSubscriptions: number;
  /** Requests that are carried to or from another process at one moment. */
  readonly maxRelays: number;
  /** Milliseconds that another process has to answer. */
  readonly peerTimeoutMs: number;
  /** Time limit of one such request, in milliseconds. */
  readonly callTimeoutMs: number;
  /** Milliseconds between the comments that keep an event stream alive. */
  readonly keepAliveMs: number;
  /** Bytes that a slow reader may leave unread before progress is dropped and idle streams are cut. */
  readonly maxUnreadBytes: number;
  /** Bytes of answers that clients have not read, over all connections. */
  readonly maxUnreadAnswerBytes: number;
  /** Milliseconds of unread bytes after which the connection of a reader is closed in favour of another answer. */
  readonly slowReaderMs: number;
  /** Time limit for a reader of a finished answer, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Milliseconds for which a client of 2026-07-28 may cache a list and the answer to `server/discover`; the result states it. */
  readonly listTtlMs: number;
  /** The same for a resource that it has read, where the server does not say so itself. */
  readonly resourceTtlMs: number;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/** The bounds that hold where none are given. */
export const DEFAULT_MCP_HTTP_LIMITS: McpHttpLimits = {
  maxBodyBytes: 4 * MIB,
  maxBufferedBodyBytes: 64 * MIB,
  maxConcurrentCalls: 256,
  maxConcurrentCallsPerCaller: 96,
  maxQueuedCallsPerCaller: 160,
  maxBatch: 64,
  maxNesting: 128,
  maxBodyValues: 100_000,
  maxHeaderLines: 200,
  maxSessions: 1_000,
  maxStreamsPerSession: 4,
  sessionIdleMs: 30 * MINUTE_MS,
  sessionMaxAgeMs: 24 * 60 * MINUTE_MS,
  sessionRestMs: 10_000,
  maxEndedSessions: 10_000,
  resumeWindowMs: 30_000,
  maxResumableStreams: 32,
  maxLoggedEvents: 256,
  maxLoggedBytes: MIB,
  maxLoggedBytesTotal: 64 * MIB,
  maxQuestionsPerSession: 16,
  questionTimeoutMs: 5 * MINUTE_MS,
  maxSuspendedCalls: 256,
  suspendedTimeoutMs: 5 * MINUTE_MS,
  maxInputRounds: 32,
  maxStreams: 1_024,
  maxStreamsPerCaller: 512,
  maxListenStreams: 2_048,
  maxSubscriptions: 64,
  maxRelays: 256,
  peerTimeoutMs: 5_000,
  callTimeoutMs: 5 * MINUTE_MS,
  keepAliveMs: 15_000,
  maxUnreadBytes: MIB,
  maxUnreadAnswerBytes: 128 * MIB,
  slowReaderMs: 1_000,
  writeTimeoutMs: MINUTE_MS,
  listTtlMs: 0,
  resourceTtlMs: 0,
};
