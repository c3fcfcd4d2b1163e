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
  /** Open event streams without a call of one caller: `GET` streams and `subscriptions/listen`. */
  readonly maxStreamsPerCaller: number;
  /** Open `subscriptions/listen` streams. More than `maxStreams`, whose streams addresses take from each other. */
  readonly maxListenStreams: number;
  /** Resources that one session or one `subscriptions/listen` stream may follow. */
  readonly maxSubscriptions: number;
  /** Requests that are carried to or from another process at one moment. */
  readonly maxRelays: number;
  /** Milliseconds that another process has to answer. */
  readonly peerTimeoutMs: number;
  /** Time limit of one request of `CALL_METHODS`, in milliseconds. */
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
  /** Milliseconds for which a client of 2026-07-28 may cache a resource, where its server does not state them itself. */
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

/** A configuration key that sets limits, in seconds where the limits are in milliseconds. */
interface LimitKey {
  readonly limits: readonly [keyof McpHttpLimits, ...(keyof McpHttpLimits)[]];
  readonly min: number;
  readonly max: number;
  readonly about: string;
}

const DAY_SECONDS = 86_400;

/** The limits that operators can set, by the name of the key. Schema, documentation and use follow from this table. */
export const LIMIT_KEYS = {
  maxBodyBytes: {
    limits: ['maxBodyBytes'],
    min: 1024,
    max: 256 * MIB,
    about: 'largest request body, in bytes',
  },
  maxBodyValues: {
    limits: ['maxBodyValues'],
    min: 1000,
    max: 100_000_000,
    about: 'members, objects and arrays of a request body',
  },
  maxConcurrentRequests: {
    limits: ['maxConcurrentCalls'],
    min: 1,
    max: 100_000,
    about: 'concurrent requests; further ones are refused with 503',
  },
  maxConcurrentCallsPerCaller: {
    limits: ['maxConcurrentCallsPerCaller'],
    min: 1,
    max: 100_000,
    about: 'concurrent calls of one caller; further ones wait',
  },
  maxQueuedCallsPerCaller: {
    limits: ['maxQueuedCallsPerCaller'],
    min: 0,
    max: 100_000,
    about: 'waiting calls of one caller; further ones are refused with 503',
  },
  maxSessions: {
    limits: ['maxSessions'],
    min: 1,
    max: 1_000_000,
    about: 'maximum sessions; the least recently used one is evicted',
  },
  sessionIdleSeconds: {
    limits: ['sessionIdleMs'],
    min: 1,
    max: DAY_SECONDS,
    about: 'idle timeout of a session',
  },
  sessionMaxAgeSeconds: {
    limits: ['sessionMaxAgeMs'],
    min: 60,
    max: 30 * DAY_SECONDS,
    about: 'maximum age of a session',
  },
  questionTimeoutSeconds: {
    limits: ['questionTimeoutMs', 'suspendedTimeoutMs'],
    min: 1,
    max: DAY_SECONDS,
    about: 'time limit for a client to answer a server request',
  },
  maxWaitingCalls: {
    limits: ['maxSuspendedCalls'],
    min: 1,
    max: 100_000,
    about: 'suspended calls of 2026-07-28 clients that wait for input',
  },
  maxStreams: {
    limits: ['maxStreams'],
    min: 1,
    max: 100_000,
    about: 'open event streams that wait for changes',
  },
  maxStreamsPerCaller: {
    limits: ['maxStreamsPerCaller'],
    min: 1,
    max: 100_000,
    about: 'the same, of one caller; further ones are refused with 429',
  },
  maxUnreadAnswerBytes: {
    limits: ['maxUnreadAnswerBytes'],
    min: MIB,
    max: 16_384 * MIB,
    about:
      'answers that clients have not read; then slow readers are closed and answers refused with 503',
  },
  maxListenStreams: {
    limits: ['maxListenStreams'],
    min: 1,
    max: 100_000,
    about: 'open streams of 2026-07-28 clients for change notifications',
  },
  listTtlSeconds: {
    limits: ['listTtlMs'],
    min: 0,
    max: DAY_SECONDS,
    about: 'time for which 2026-07-28 clients can cache a list',
  },
  resourceTtlSeconds: {
    limits: ['resourceTtlMs'],
    min: 0,
    max: DAY_SECONDS,
    about: 'time for which they can cache a resource whose server declares none',
  },
} as const satisfies Readonly<Record<string, LimitKey>>;

type LimitName = keyof typeof LIMIT_KEYS;

const listLimitKeys = () =>
  Object.entries(LIMIT_KEYS) as readonly (readonly [LimitName, LimitKey])[];

const readUnit = (limit: keyof McpHttpLimits): number => (limit.endsWith('Ms') ? 1000 : 1);

/** Returns the default of a key. */
export const findLimitDefault = (key: LimitName): number => {
  const [limit] = LIMIT_KEYS[key].limits;
  return DEFAULT_MCP_HTTP_LIMITS[limit] / readUnit(limit);
};

/** Returns the limits that configured values set. */
export const toLimits = (values: Readonly<Record<LimitName, number>>): Partial<McpHttpLimits> =>
  Object.fromEntries(
    listLimitKeys().flatMap(([key, { limits }]) =>
      limits.map((limit) => [limit, values[key] * readUnit(limit)]),
    ),
  );
