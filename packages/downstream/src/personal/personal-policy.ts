/** Bounds of the connections of persons. Times are in milliseconds. */
export interface PersonalPolicy {
  /** A connection that was not used for this long is closed; its lists stay. */
  readonly idleMs: number;
  /** Maximum number of open connections. The least recently used connection is closed for another one. */
  readonly maxConnections: number;
  /** Maximum number of remembered persons. The person whose last request is oldest is forgotten. */
  readonly maxPersons: number;
  /** Maximum number of connections that are being opened; the others wait. */
  readonly maxOpening: number;
  /** Maximum time for which the first request of a person waits for the person's servers. */
  readonly prepareMs: number;
  /** From a failed attempt to the next one that no call asks for; doubled per failure. */
  readonly retryMs: number;
  /** The same after a refused credential, which time alone seldom corrects. */
  readonly refusedRetryMs: number;
  /** Maximum time for which a request waits for an attempt that follows a failed one. */
  readonly retryWaitMs: number;
  readonly maxRetryMs: number;
  /** From a failed attempt to the next one for a call. */
  readonly callRetryMs: number;
}

/** Defaults for production. */
export const DEFAULT_PERSONAL: PersonalPolicy = {
  idleMs: 600_000,
  maxConnections: 1_000,
  maxPersons: 20_000,
  maxOpening: 64,
  prepareMs: 15_000,
  retryMs: 5_000,
  refusedRetryMs: 300_000,
  retryWaitMs: 1_000,
  maxRetryMs: 1_800_000,
  callRetryMs: 1_000,
};

/** Maximum exponent of the delay before a lost connection with subscriptions is opened again. */
const MAX_DOUBLINGS = 6;

/** Returns the time until a lost connection with subscriptions is opened again, in milliseconds, with jitter. */
export const reopenDelayMs = (
  failures: number,
  { callRetryMs }: Pick<PersonalPolicy, 'callRetryMs'>,
): number => callRetryMs * 2 ** Math.min(failures, MAX_DOUBLINGS) * (1 + Math.random());
