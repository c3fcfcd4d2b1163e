import type { Era } from '../requests/request-connection.ts';
import { afterLook, NEW_HEALTH } from './health-state.ts';
import type { HealthLevel, HealthState, LookVerdict } from './health-state.ts';
import type { ConnectionWorld, ServerLink } from './server-link.ts';
import type { RequestFailure } from '../wire/request-outcome.ts';
import type { ConnectionFailure } from './connection-failure.ts';

/** Finds out whether a server that was met before can still be met, and how well it is. */
export interface HealthCheck {
  /** Looks now, unless a look is under way. */
  look(): void;
  /** Looks at intervals. */
  keepLooking(): void;
  stop(): void;
}

/** The connection in question. */
export interface CheckedConnection {
  readonly link: ServerLink;
  readonly era: Era;
  readonly lost: (failure: ConnectionFailure) => void;
  /** The level is another one now. */
  readonly onHealth: (health: HealthNews) => void;
}

/** How a server is, and what the last look came to unless it was good. */
export interface HealthNews {
  readonly level: HealthLevel;
  readonly reason?: string;
}

/** What the check takes of the world. */
export type HealthWorld = Pick<ConnectionWorld, 'timeouts' | 'health' | 'now'>;

/** A look that found the server well is not repeated for this long, however many requests fail. */
const PAUSE_MS = 250;

/** A server that is not well is looked at this many times as often. */
const TROUBLED_PACE = 3;

/** Servers that were connected together are not all asked together: each interval is up to this much longer or shorter. */
const SPREAD = 0.1;

type Seen =
  | { readonly verdict: LookVerdict; readonly reason?: string }
  | { readonly verdict: 'gone'; readonly reason: string };

/** An HTTP status is an answer of a running server; a status of 500 and above is a failed check. */
const lostLook = ({
  reason,
  httpStatus,
}: {
  readonly reason: string;
  readonly httpStatus?: number;
}): Seen => {
  if (httpStatus === undefined) return { verdict: 'gone', reason };
  return httpStatus >= 500 ? { verdict: 'failed', reason } : { verdict: 'good' };
};

const failedLooks: {
  readonly [K in RequestFailure['kind']]: (
    failure: Extract<RequestFailure, { kind: K }>,
    hasSpoken: boolean,
  ) => Seen;
} = {
  refused: () => ({ verdict: 'good' }),
  'input-required': () => ({ verdict: 'good' }),
  'not-given': () => ({ verdict: 'good' }),
  timeout: ({ timeoutMs }, hasSpoken) => ({
    verdict: hasSpoken ? 'slow' : 'failed',
    reason: `no answer within ${timeoutMs / 1_000} s`,
  }),
  cancelled: () => ({ verdict: 'failed', reason: 'the question was withdrawn' }),
  invalid: ({ reason }) => ({ verdict: 'failed', reason }),
  lost: lostLook,
};

const failedLook = <K extends RequestFailure['kind']>(
  kind: K,
  failure: Extract<RequestFailure, { kind: K }>,
  hasSpoken: boolean,
): Seen => failedLooks[kind](failure, hasSpoken);

/**
 * Asks the smallest question there is. A server that cannot be met at all is lost at once. One that stays without any sign of life is lost in
 * the end: not while it is at work on a call, which may keep it from answering, until that call must have ended. A slow one is never lost.
 */
class Check implements HealthCheck {
  readonly #connection: CheckedConnection;
  readonly #world: HealthWorld;
  #health: HealthState = NEW_HEALTH;
  #isLooking = false;
  #isStopped = false;
  #lastHeardAt: number;
  #heard = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: CheckedConnection, world: HealthWorld) {
    this.#connection = connection;
    this.#world = world;
    this.#lastHeardAt = world.now();
    this.#heard = connection.link.tap.heard;
  }

  look(): void {
    void this.#look();
  }

  keepLooking(): void {
    if (this.#isStopped) return;
    const { healthIntervalMs } = this.#world.timeouts;
    const pace = this.#health.bad > 0 ? TROUBLED_PACE : 1;
    const spread = 1 - SPREAD + 2 * SPREAD * Math.random();
    this.#timer = setTimeout(
      () => void this.#look().then(() => this.keepLooking()),
      (healthIntervalMs / pace) * spread,
    );
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    this.#take(await this.#ask());
    const pauseMs = Math.min(PAUSE_MS, this.#world.timeouts.healthIntervalMs);
    setTimeout(() => {
      this.#isLooking = false;
    }, pauseMs).unref();
  }

  async #ask(): Promise<Seen> {
    const { link, era } = this.#connection;
    const { health, now } = this.#world;
    const began = now();
    const outcome = await link.tap.request({
      method: era === 'modern' ? 'server/discover' : 'ping',
      params: {},
      timeoutMs: health.timeoutMs,
    });
    const hasSpoken = this.#hasSpoken();
    const seen: Seen = outcome.ok
      ? { verdict: 'good' }
      : failedLook(outcome.failure.kind, outcome.failure, hasSpoken);
    const tookMs = now() - began;
    return seen.verdict === 'good' && tookMs >= health.slowMs
      ? { verdict: 'slow', reason: `answered after ${(tookMs / 1_000).toFixed(1)} s` }
      : seen;
  }

  /** Whether anything was heard since this was last asked. */
  #hasSpoken(): boolean {
    const { heard } = this.#connection.link.tap;
    const hasSpoken = heard !== this.#heard;
    this.#heard = heard;
    if (hasSpoken) this.#lastHeardAt = this.#world.now();
    return hasSpoken;
  }

  #take(seen: Seen): void {
    if (this.#isStopped) return;
    const { lost, onHealth } = this.#connection;
    if (seen.verdict === 'gone') {
      const { link } = this.#connection;
      lost({ code: link.failureCode(), reason: seen.reason, missing: link.missing() });
      return;
    }
    const before = this.#health.level;
    this.#health = afterLook(this.#health, seen.verdict, this.#world.health);
    const { level } = this.#health;
    if (level !== before)
      onHealth({ level, ...(seen.reason === undefined ? {} : { reason: seen.reason }) });
    if (this.#isGivenUp())
      lost({ code: 'other', reason: `health checks fail: ${seen.reason ?? 'no answer'}` });
  }

  #isGivenUp(): boolean {
    const { timeouts, health, now } = this.#world;
    if (this.#health.silent < health.replaceAfter) return false;
    const mayBeBusy = this.#connection.link.tap.running > 0;
    return !mayBeBusy || now() - this.#lastHeardAt >= timeouts.requestMs;
  }
}

/** The health of a connection that was just made, from now on. */
export const createHealthCheck = (connection: CheckedConnection, world: HealthWorld): HealthCheck =>
  new Check(connection, world);
