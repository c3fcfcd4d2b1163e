import type { ListMethod, Era } from '@gateway/mcp-wire';
import { RPC_CODE } from '@gateway/call-contract';
import { type SessionAnswer, resolveProbeMethod } from '../requests/outgoing-requests.ts';
import { createSharedWork } from '../wire/deadlines.ts';
import type { HealthPolicy } from '../wire/limits.ts';
import {
  isTemporary,
  type RequestFailure,
  formatSessionAnswer,
  type SessionRefusal,
} from '../wire/request-outcome.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import type {
  ConnectionDependencies,
  ServerLink,
  HealthLevel,
  HealthReport,
} from './server-link.ts';

/** The result of one health check. `slow`: an answer after the limit. */
export type CheckResult = 'good' | 'slow' | 'failed';

export interface HealthState {
  readonly level: HealthLevel;
  readonly good: number;
  /** Consecutive failed and slow checks. */
  readonly bad: number;
  /** Consecutive checks without any message of the server. */
  readonly silent: number;
}

export const INITIAL_HEALTH: HealthState = { level: 'healthy', good: 0, bad: 0, silent: 0 };

type LevelPolicy = Pick<HealthPolicy, 'failures' | 'successes'>;

/** Several consecutive failures make a server unhealthy; several consecutive successes make it healthy again. */
export const applyCheckResult = (
  { level, good, bad, silent }: HealthState,
  verdict: CheckResult,
  policy: LevelPolicy,
): HealthState => {
  const wasUnhealthy = level === 'unhealthy';
  if (verdict === 'good') {
    const isUnhealthy = wasUnhealthy && good + 1 < policy.successes;
    return { level: isUnhealthy ? 'unhealthy' : 'healthy', good: good + 1, bad: 0, silent: 0 };
  }
  return {
    level: wasUnhealthy || bad + 1 >= policy.failures ? 'unhealthy' : 'degraded',
    good: 0,
    bad: bad + 1,
    silent: verdict === 'slow' ? 0 : silent + 1,
  };
};

const ROUNDS_PER_INTERVAL = 10;
/** Random variation of each interval, so that servers which connected together are not checked together. */
const SPREAD = 0.1;

/** Returns the time until the next check in milliseconds: about the interval, to the end of a round that many servers share. */
export const computeRoundDelay = (now: number, intervalMs: number, random: number): number => {
  const roundMs = intervalMs / ROUNDS_PER_INTERVAL;
  const dueAt = now + intervalMs * (1 - SPREAD + 2 * SPREAD * random);
  return Math.round(dueAt / roundMs) * roundMs - now;
};

/** Servers that are checked at one instant, and the time to the next instant of the round in milliseconds. */
const PER_INSTANT = 32;
const INSTANT_MS = 25;

/** The rounds of all servers of a process. Many servers of one round are checked in groups, so that their checks do not all start at once. */
export class CheckRounds {
  readonly #counts = new Map<number, number>();

  computeDelay(now: number, intervalMs: number, random: number): number {
    for (const end of this.#counts.keys()) if (end < now) this.#counts.delete(end);
    const delayMs = computeRoundDelay(now, intervalMs, random);
    const end = Math.round(now + delayMs);
    const count = this.#counts.get(end) ?? 0;
    this.#counts.set(end, count + 1);
    const offsetMs = Math.floor(count / PER_INSTANT) * INSTANT_MS;
    return delayMs + (offsetMs % (intervalMs / ROUNDS_PER_INTERVAL));
  }
}

interface CheckedConnection {
  readonly link: ServerLink;
  readonly era: Era;
  readonly list: ListMethod | undefined;
  readonly onLost: (failure: ConnectionFailure) => void;
  readonly onSessionEnded: (reason: string) => void;
  readonly onHealth: (health: HealthReport) => void;
}

/** Minimum pause after a successful check, however many requests fail, in milliseconds. */
const PAUSE_MS = 250;

const UNHEALTHY_CHECK_FACTOR = 3;

/** The clock is the same for all servers of the process. */
const ROUNDS = new CheckRounds();

type CheckOutcome =
  | { readonly verdict: CheckResult; readonly reason?: string }
  | { readonly verdict: 'gone' | 'session-refused'; readonly reason: string }
  /** The request was refused, which other requests may not be. */
  | { readonly verdict: 'doubtful'; readonly reason: string };

/** No HTTP status but success answers the request. Unless it is temporary, the request may be refused for a reason of its own. */
const toLossOutcome = ({
  reason,
  httpStatus,
}: {
  readonly reason: string;
  readonly httpStatus?: number;
}): CheckOutcome => {
  if (httpStatus === undefined) return { verdict: 'gone', reason };
  return { verdict: isTemporary(httpStatus) ? 'failed' : 'doubtful', reason };
};

const toCheckOutcome = (failure: RequestFailure, hasReceived: boolean): CheckOutcome => {
  switch (failure.kind) {
    case 'refused':
      // A server that does not have the method has read the request.
      return failure.rpcCode === RPC_CODE.methodNotFound
        ? { verdict: 'good' }
        : { verdict: 'doubtful', reason: `${failure.message} (code ${failure.rpcCode})` };
    case 'session-refused':
      return { verdict: 'session-refused', reason: formatSessionAnswer(failure) };
    case 'input-required':
    case 'not-given':
    case 'unauthorized':
      return { verdict: 'good' };
    case 'timeout':
      return {
        verdict: hasReceived ? 'slow' : 'failed',
        reason: `no answer within ${failure.timeoutMs / 1_000} s`,
      };
    case 'cancelled':
      return { verdict: 'failed', reason: 'the question was withdrawn' };
    case 'invalid':
      return { verdict: 'doubtful', reason: failure.reason };
    case 'lost':
      return toLossOutcome(failure);
  }
};

/** A refused session is replaced by its own rule, and not because the server is silent. */
const toCheckResult = (verdict: Exclude<CheckOutcome['verdict'], 'gone'>): CheckResult => {
  if (verdict === 'session-refused') return 'slow';
  return verdict === 'doubtful' ? 'failed' : verdict;
};

const QUICK_MS = 1_000;

const isSameAnswer = (answer: SessionAnswer, other: RequestFailure | undefined): boolean => {
  if (answer.kind === 'refused' && other?.kind === 'refused')
    return answer.rpcCode === other.rpcCode && answer.message === other.message;
  return answer.kind === 'lost' && other?.kind === 'lost'
    ? answer.httpStatus === other.httpStatus && answer.text === other.text
    : false;
};

/** Sends the smallest request, and reads a list when that is refused or calls fail. A silent server is lost after several checks, a slow one never. */
export class HealthCheck {
  readonly #connection: CheckedConnection;
  readonly #dependencies: Pick<ConnectionDependencies, 'timeouts' | 'health' | 'now'>;
  #health: HealthState = INITIAL_HEALTH;
  #isStopped = false;
  #lastMessageAt: number;
  readonly #check: () => Promise<void>;
  #receivedCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    connection: CheckedConnection,
    dependencies: Pick<ConnectionDependencies, 'timeouts' | 'health' | 'now'>,
  ) {
    this.#connection = connection;
    this.#dependencies = dependencies;
    this.#lastMessageAt = dependencies.now();
    this.#receivedCount = connection.link.interceptor.receivedCount;
    const pauseMs = Math.min(PAUSE_MS, dependencies.timeouts.healthIntervalMs);
    this.#check = createSharedWork(pauseMs, async () => {
      if (!this.#isStopped) this.#apply(await this.#probe());
    });
  }

  check(): void {
    void this.#check();
  }

  start(): void {
    if (this.#isStopped) return;
    const { healthIntervalMs } = this.#dependencies.timeouts;
    const factor = this.#health.bad > 0 ? UNHEALTHY_CHECK_FACTOR : 1;
    const delayMs = ROUNDS.computeDelay(
      performance.now(),
      healthIntervalMs / factor,
      Math.random(),
    );
    this.#timer = setTimeout(() => void this.#check().then(() => this.start()), delayMs);
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #probe(): Promise<CheckOutcome> {
    const { link, list } = this.#connection;
    const smallest = await this.#ask(this.#smallest);
    const mayFail =
      smallest.verdict === 'good' &&
      link.interceptor.failedInARow >= this.#dependencies.health.failures;
    if (!mayFail && smallest.verdict !== 'doubtful') return smallest;
    if (list !== undefined) {
      const listed = await this.#ask(list);
      // The server answered the smallest request, so it is not silent: it may process one request after the other.
      if (listed.verdict === 'failed' && smallest.verdict === 'good')
        return { ...listed, verdict: 'slow' };
      if (listed.verdict !== 'doubtful') return listed;
      // Every request is refused: a server that has forgotten the session may say so in any words.
      return { ...listed, verdict: link.interceptor.hasSession ? 'session-refused' : 'failed' };
    }
    return smallest.verdict === 'doubtful' ? { ...smallest, verdict: 'failed' } : smallest;
  }

  async #ask(method: string): Promise<CheckOutcome> {
    const { interceptor } = this.#connection.link;
    const { health, now } = this.#dependencies;
    const began = now();
    const { timeoutMs } = health;
    const outcome = await interceptor.request({ method, params: {}, timeoutMs, isCheck: true });
    const hasReceived = this.#hasReceived();
    const checked: CheckOutcome = outcome.ok
      ? { verdict: 'good' }
      : toCheckOutcome(outcome.failure, hasReceived);
    const tookMs = now() - began;
    return checked.verdict === 'good' && tookMs >= health.slowMs
      ? { verdict: 'slow', reason: `answered after ${(tookMs / 1_000).toFixed(1)} s` }
      : checked;
  }

  /** Resolves with whether an answer refuses the session, because further requests are refused too. Concurrent callers share the requests. */
  async isSessionRefused(answer: SessionAnswer, how: SessionRefusal): Promise<boolean> {
    if (how === 'possible' && !isSameAnswer(answer, await this.#smallestAnswer())) return false;
    return this.#isSessionGone();
  }

  readonly #smallestAnswer = createSharedWork(PAUSE_MS, async () => {
    const request = { method: this.#smallest, params: {}, timeoutMs: QUICK_MS, isCheck: true };
    const outcome = await this.#connection.link.interceptor.request(request);
    return outcome.ok ? undefined : outcome.failure;
  });

  /** Servers may answer a ping without checking its session. */
  readonly #isSessionGone = createSharedWork(PAUSE_MS, async () => {
    const { list } = this.#connection;
    const { verdict } = await this.#ask(this.#smallest);
    if (verdict === 'session-refused' || list === undefined) return verdict === 'session-refused';
    const listed = await this.#ask(list);
    return (
      listed.verdict === 'session-refused' ||
      (verdict === 'doubtful' && listed.verdict === 'doubtful')
    );
  });

  get #smallest(): string {
    return resolveProbeMethod(this.#connection.era);
  }

  #hasReceived(): boolean {
    const { receivedCount } = this.#connection.link.interceptor;
    const hasReceived = receivedCount !== this.#receivedCount;
    this.#receivedCount = receivedCount;
    if (hasReceived) this.#lastMessageAt = this.#dependencies.now();
    return hasReceived;
  }

  #apply(outcome: CheckOutcome): void {
    if (this.#isStopped) return;
    const { onLost: lost, onHealth, onSessionEnded } = this.#connection;
    if (outcome.verdict === 'gone') {
      const { link } = this.#connection;
      lost({ code: link.failureCode(), reason: outcome.reason, missing: link.missing() });
      return;
    }
    if (outcome.verdict === 'session-refused') onSessionEnded(outcome.reason);
    const before = this.#health.level;
    this.#health = applyCheckResult(
      this.#health,
      toCheckResult(outcome.verdict),
      this.#dependencies.health,
    );
    const { level } = this.#health;
    if (level !== before)
      onHealth({ level, ...(outcome.reason === undefined ? {} : { reason: outcome.reason }) });
    if (this.#hasTimedOut())
      lost({ code: 'other', reason: `health checks fail: ${outcome.reason ?? 'no answer'}` });
  }

  #hasTimedOut(): boolean {
    const { health, now } = this.#dependencies;
    if (this.#health.silent < health.replaceAfter) return false;
    // A server may be busy for the whole time of a request.
    return now() - this.#lastMessageAt >= this.#connection.link.interceptor.longestMs;
  }
}
