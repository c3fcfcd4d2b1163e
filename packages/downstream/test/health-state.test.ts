import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyCheckResult,
  CheckRounds,
  type CheckResult,
  computeRoundDelay,
  type HealthState,
  INITIAL_HEALTH,
} from '../src/connection/health-check.ts';

const policy = { failures: 3, successes: 2 };
const levels = (verdicts: readonly CheckResult[]): readonly string[] => {
  let state: HealthState = INITIAL_HEALTH;
  return verdicts.map((verdict) => {
    state = applyCheckResult(state, verdict, policy);
    return state.level;
  });
};
const RESULTS: Readonly<Record<string, CheckResult>> = { f: 'failed', g: 'good', s: 'slow' };
/** The first letters of the levels after each of these results. */
const course = (letters: string): string =>
  levels(Array.from(letters, (letter) => RESULTS[letter] ?? 'good'))
    .map((level) => level.charAt(0))
    .join('');

describe('the health of a connection', () => {
  it('is unhealthy after three consecutive failed checks, and healthy after two successful ones', () => {
    expect(course('fffgg')).toBe('dduuh');
  });

  it('never becomes unhealthy while every third check succeeds, nor healthy while every second one fails', () => {
    expect(course('ffgffg')).toBe('ddhddh');
    expect(course('fffgfgf')).toBe('dduuuuu');
  });

  it('counts a slow answer as a failed check with a message', () => {
    expect(course('sss')).toBe('ddu');
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

const INTERVAL_MS = 30_000;

it('checks servers at the end of a round, at most 15 % of the interval early or late', () => {
  expect(computeRoundDelay(1_000, INTERVAL_MS, 0)).toBe(26_000);
  expect(computeRoundDelay(1_000, INTERVAL_MS, 0.5)).toBe(29_000);
  expect(computeRoundDelay(1_000, INTERVAL_MS, 1)).toBe(32_000);
  for (let now = 0; now <= 3_000; now += 7) {
    expect(computeRoundDelay(now, INTERVAL_MS, 0)).toBeGreaterThanOrEqual(INTERVAL_MS * 0.85);
    expect(computeRoundDelay(now, INTERVAL_MS, 1)).toBeLessThanOrEqual(INTERVAL_MS * 1.15);
  }
});

it('checks many servers in few rounds, and not all in one', () => {
  const ends = new Set<number>();
  for (let server = 0; server < 81; server += 1) {
    const now = 10_000 + server * 11;
    ends.add(Math.round(now + computeRoundDelay(now, INTERVAL_MS, (server * 0.618) % 1)));
  }
  expect(ends.size).toBeGreaterThanOrEqual(2);
  expect(ends.size).toBeLessThanOrEqual(4);
});

it('never checks at once, however short the interval', () => {
  expect(computeRoundDelay(12.3, 10, 0)).toBeGreaterThan(8);
  expect(computeRoundDelay(12.3, 1, 0)).toBeGreaterThan(0.8);
});

it('checks many servers that connect together in groups within their round', () => {
  const rounds = new CheckRounds();
  const groups = new Map<number, number>();
  for (let server = 0; server < 500; server += 1) {
    const end = 1_000 + rounds.computeDelay(1_000, INTERVAL_MS, (server * 0.618) % 1);
    groups.set(end, (groups.get(end) ?? 0) + 1);
    expect(end % 3_000).toBeLessThan(500);
  }
  expect(Math.max(...groups.values())).toBe(32);
  expect(groups.size).toBeLessThan(20);
});

it('counts the servers of each round for itself', () => {
  const rounds = new CheckRounds();
  for (let server = 0; server < 33; server += 1) rounds.computeDelay(1_000, INTERVAL_MS, 0.5);
  expect(rounds.computeDelay(1_000, INTERVAL_MS, 0.5)).toBe(29_025);
  expect(rounds.computeDelay(31_000, INTERVAL_MS, 0.5)).toBe(29_000);
});
