import { smallestRequest } from '../requests/outgoing-requests.ts';
import { shareFor } from '../wire/deadlines.ts';
import type { Connection, OpenOutcome } from './connection.ts';
import type { ConnectionDependencies } from './server-link.ts';
import type { ConnectionFailure } from './connection-failure.ts';

/** The connection that received HTTP 401. */
interface RefusedConnection {
  readonly request: Connection['request'];
  readonly era: Connection['era'];
  /** Opens another connection to the same server, for requests only. */
  readonly open: (signal: AbortSignal) => Promise<OpenOutcome>;
  readonly lost: (failure: ConnectionFailure) => void;
}

/** Minimum pause between two checks in milliseconds, however many requests are refused. */
const PAUSE_MS = 10_000;

const UNAUTHORIZED = 401;

/** Sends the smallest request of the protocol and returns whether the server refuses it with HTTP 401. */
const isRefused = async (
  { request, era }: Pick<RefusedConnection, 'request' | 'era'>,
  timeoutMs: number,
): Promise<boolean> => {
  const outcome = await request({ method: smallestRequest(era), params: {}, timeoutMs });
  return (
    !outcome.ok && outcome.failure.kind === 'lost' && outcome.failure.httpStatus === UNAUTHORIZED
  );
};

/**
 * Decides after HTTP 401 whether the connection is lost. HTTP 401 to one request concerns that request only: the connection is lost when the
 * server refuses another connection with 401 too, or when it accepts a new connection and refuses every request on this one.
 */
export class AuthorizationCheck {
  readonly #connection: RefusedConnection;
  readonly #dependencies: Pick<ConnectionDependencies, 'timeouts' | 'health'>;
  readonly #ended = new AbortController();
  readonly #check: () => Promise<void>;

  constructor(
    connection: RefusedConnection,
    dependencies: Pick<ConnectionDependencies, 'timeouts' | 'health'>,
  ) {
    this.#connection = connection;
    this.#dependencies = dependencies;
    const pauseMs = Math.min(PAUSE_MS, dependencies.timeouts.healthIntervalMs);
    this.#check = shareFor(pauseMs, async () => {
      const failure = await this.#findLoss();
      if (failure !== undefined && !this.#ended.signal.aborted) connection.lost(failure);
    });
  }

  /** Checks now, unless a check is running or has just ended. */
  check(): void {
    if (!this.#ended.signal.aborted) void this.#check();
  }

  stop(): void {
    this.#ended.abort(new Error('the connection was closed'));
  }

  async #findLoss(): Promise<ConnectionFailure | undefined> {
    const outcome = await this.#connection.open(this.#ended.signal);
    if (!outcome.ok) return outcome.failure.code === 'auth-required' ? outcome.failure : undefined;
    const { connection: other } = outcome;
    const { timeoutMs } = this.#dependencies.health;
    const [isThisRefused, isOtherRefused] = await Promise.all([
      isRefused(this.#connection, timeoutMs),
      isRefused(other, timeoutMs),
    ]);
    await other.close();
    return isThisRefused && !isOtherRefused
      ? { code: 'other', reason: 'the server refuses the session (HTTP 401)' }
      : undefined;
  }
}
