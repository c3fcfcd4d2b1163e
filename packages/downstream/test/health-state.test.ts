import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyCheckResult, INITIAL_HEALTH } from '../src/connection/health-check.ts';
import type { HealthState, CheckResult } from '../src/connection/health-check.ts';

const policy = { failures: 3, successes: 2 };
const levels = (verdicts: readonly CheckResult[]): readonly string[] => {
  let state: HealthState = INITIAL_HEALTH;
  return verdicts.map((verdict) => {
    state = applyCheckResult(state, verdict, policy);
    return state.level;
  });
};

describe('the health of a connection', () => {
  it('is unhealthy after three consecutive failed checks, and healthy after two successful ones', () => {
    expect(levels(['failed', 'failed', 'failed', 'good', 'good'])).toEqual([
      'degraded',
      'degraded',
      'unhealthy',
      'unhealthy',
      'healthy',
    ]);
  });

  it('never becomes unhealthy while every third check succeeds, nor healthy while every second one fails', () => {
    expect(levels(['failed', 'failed', 'good', 'failed', 'failed', 'good'])).toEqual([
      'degraded',
      'degraded',
      'healthy',
      'degraded',
      'degraded',
      'healthy',
    ]);
    expect(levels(['failed', 'failed', 'failed', 'good', 'failed', 'good', 'failed'])).toEqual([
      'degraded',
      'degraded',
      'unhealthy',
      'unhealthy',
      'unhealthy',
      'unhealthy',
      'unhealthy',
    ]);
  });

  it('counts a slow answer as a failed check with a message', () => {
    expect(levels(['slow', 'slow', 'slow'])).toEqual(['degraded', 'degraded', 'unhealthy']);
    expect(applyCheckResult({ ...INITIAL_HEALTH, silent: 2 }, 'slow', policy).silent).toBe(0);
    expect(applyCheckResult({ ...INITIAL_HEALTH, silent: 2 }, 'failed', policy).silent).toBe(3);
  });

  it('changes between healthy and unhealthy only after the configured number of consecutive checks', () => {
    const verdict = fc.constantFrom<CheckResult>('good', 'slow', 'failed');
    fc.assert(
      fc.property(fc.array(verdict, { maxLength: 60 }), (verdicts) => {
        const seen = levels(verdicts);
        for (const [index, level] of seen.entries()) {
          const wasUnhealthy = seen[index - 1] === 'unhealthy';
          const last = (count: number) => verdicts.slice(Math.max(0, index + 1 - count), index + 1);
          if (level === 'unhealthy' && !wasUnhealthy)
            expect([last(3).length, last(3).includes('good')]).toEqual([3, false]);
          if (level !== 'unhealthy' && wasUnhealthy) expect(last(2)).toEqual(['good', 'good']);
        }
      }),
    );
  });
});
