import { computeBackoffDelay, type Backoff } from '@gateway/call-contract';
import { Redis } from 'ioredis';
import { StateStoreError } from '../port/state-store.ts';
import { parseRedisAddress, type RedisStoreOptions } from './redis-options.ts';

/** An operation fails when the server has not answered after this time. */
const TIMEOUT_MS = 1_900;
/** Operations that wait for the connection. */
const MAX_WAITING = 1_000;
const MAX_BACKOFF_MS = 2_000;

const createUnavailableError = (reason: string): StateStoreError =>
  new StateStoreError('unavailable', `The state store is not available: ${reason}.`);

const NO_ANSWER = 'the server did not answer in time';

/** Between the attempts of a reconnection. */
const DELAYS: Backoff = { firstMs: 100, maxMs: MAX_BACKOFF_MS, jitter: 0.5 };

/**
 * Opens a client that reconnects until it is closed. It sends a command once: one whose answer is lost is not repeated, because it may
 * have been executed.
 */
export const openRedis = ({ url, password, ca }: RedisStoreOptions): Redis => {
  const { host, port, username, database, isTls } = parseRedisAddress(url);
  const secret = password?.();
  const redis: Redis = new Redis({
    host,
    port,
    db: database,
    ...(username !== undefined && { username }),
    ...(secret !== undefined && { password: secret }),
    ...(isTls && { tls: ca === undefined ? {} : { ca } }),
    lazyConnect: true,
    protocol: 2,
    connectTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
    // A replica that was the primary refuses writes: connect again to find the new one.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (attempt) => {
      redis.options.password = password?.();
      return computeBackoffDelay(attempt - 1, DELAYS);
    },
  });
  return redis;
};

/** Reply errors begin with a code in capitals; the rest may repeat arguments. */
const findReplyCode = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'ReplyError'
    ? /^[A-Z]{2,20}\b/.exec(error.message)?.[0]
    : undefined;

/** Returns the failure that callers receive. It never contains the text of the error. */
const toFailure = (error: unknown): StateStoreError => {
  if (error instanceof StateStoreError) return error;
  const code = findReplyCode(error);
  if (code === 'OOM') {
    return new StateStoreError('full', 'The state store is full: the server has no memory left.');
  }
  return createUnavailableError(
    code === undefined ? 'the connection was lost' : `the server answered ${code}`,
  );
};

/** Commands over one connection, each with a time limit that includes the wait for the connection. */
export class RedisConnection {
  readonly #redis: Redis;
  readonly #log: RedisStoreOptions['log'];
  readonly #waiting = new Set<() => void>();
  #isAway = false;
  #isClosed = false;

  constructor(options: RedisStoreOptions) {
    this.#redis = openRedis(options);
    this.#log = options.log;
    this.#redis.on('error', (error: unknown) => this.#reportLoss(findReplyCode(error)));
    this.#redis.on('close', () => this.#reportLoss(undefined));
    this.#redis.on('ready', () => this.#reportReturn());
    this.#redis.connect().catch(() => undefined);
  }

  /** Runs a command when the connection is ready. Rejects with a `StateStoreError` within two seconds. */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StateStoreError('unavailable', 'The state store is closed.');
    const started = performance.now();
    try {
      if (this.#redis.status !== 'ready') await this.#waitUntilReady();
      return await limitTime(command(this.#redis), started);
    } catch (error) {
      throw toFailure(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#redis.disconnect();
  }

  #waitUntilReady(): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw createUnavailableError(NO_ANSWER);
    return new Promise<void>((resolve, reject) => {
      const ready = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(ready);
        reject(createUnavailableError(NO_ANSWER));
      }, TIMEOUT_MS / 2);
      this.#waiting.add(ready);
    });
  }

  #reportLoss(code: string | undefined): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    const reason =
      code === undefined ? 'no connection to the server' : `the server answered ${code}`;
    this.#log.warn(
      `The state store is not available: ${reason}. Requests that need stored state fail until it is back.`,
    );
  }

  #reportReturn(): void {
    for (const ready of this.#waiting) ready();
    this.#waiting.clear();
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#log.info('The state store is available again.');
  }
}

const limitTime = <T>(answer: Promise<T>, started: number): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const left = Math.max(0, TIMEOUT_MS - (performance.now() - started));
    const timer = setTimeout(() => reject(createUnavailableError(NO_ANSWER)), left);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
