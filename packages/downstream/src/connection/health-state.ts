import type { HealthPolicy } from '../wire/limits.ts';

/** The result of one health check. `slow`: an answer after the limit. */
export type CheckResult = 'good' | 'slow' | 'failed';

/** The health level of a connected server. */
export type HealthLevel = 'healthy' | 'degraded' | 'unhealthy';

/** The accumulated results of the health checks of one connection. */
export interface HealthState {
  readonly level: HealthLevel;
  /** Consecutive successful checks. */
  readonly good: number;
  /** Consecutive failed and slow checks. */
  readonly bad: number;
  /** Consecutive checks without any message of the server. */
  readonly silent: number;
}

/** The state of a new connection. */
export const INITIAL_HEALTH: HealthState = { level: 'healthy', good: 0, bad: 0, silent: 0 };

type LevelPolicy = Pick<HealthPolicy, 'failures' | 'successes'>;

const levelAfterBad = (level: HealthLevel, bad: number, { failures }: LevelPolicy): HealthLevel =>
  level === 'unhealthy' || bad >= failures ? 'unhealthy' : 'degraded';

const levelAfterGood = (
  level: HealthLevel,
  good: number,
  { successes }: LevelPolicy,
): HealthLevel => (level === 'unhealthy' && good < successes ? 'unhealthy' : 'healthy');

/**
 * Returns the health after one more check. Several consecutive failures make a server unhealthy; several consecutive successes make it
 * healthy again.
 */
export const afterCheck = (
  { level, good, bad, silent }: HealthState,
  verdict: CheckResult,
  policy: LevelPolicy,
): HealthState => {
  if (verdict === 'good')
    return { level: levelAfterGood(level, good + 1, policy), good: good + 1, bad: 0, silent: 0 };
  return {
    level: levelAfterBad(level, bad + 1, policy),
    good: 0,
    bad: bad + 1,
    silent: verdict === 'slow' ? 0 : silent + 1,
  };
};
