import type { HealthPolicy } from '../wire/limits.ts';

/** What one look at a server came to. `slow` is a sign of life that came too late. */
export type CheckResult = 'good' | 'slow' | 'failed';

/** How well a connected server is. */
export type HealthLevel = 'healthy' | 'degraded' | 'unhealthy';

/** What the looks at one connection have come to. */
export interface HealthState {
  readonly level: HealthLevel;
  /** Good looks in a row. */
  readonly good: number;
  /** Failed and slow looks in a row. */
  readonly bad: number;
  /** Looks in a row that saw no sign of life. */
  readonly silent: number;
}

/** Of a connection that has just been made. */
export const INITIAL_HEALTH: HealthState = { level: 'healthy', good: 0, bad: 0, silent: 0 };

type LevelPolicy = Pick<HealthPolicy, 'failures' | 'successes'>;

const levelAfterBad = (level: HealthLevel, bad: number, { failures }: LevelPolicy): HealthLevel =>
  level === 'unhealthy' || bad >= failures ? 'unhealthy' : 'degraded';

const levelAfterGood = (
  level: HealthLevel,
  good: number,
  { successes }: LevelPolicy,
): HealthLevel => (level === 'unhealthy' && good < successes ? 'unhealthy' : 'healthy');

/** The health after one more look. It takes several looks in a row to become unhealthy, and to be healthy again after that. */
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
