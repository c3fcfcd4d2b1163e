import type { BackoffPolicy } from '../../wire/limits.ts';

const doubled = (ms: number, times: number, maxMs: number): number =>
  Math.min(maxMs, ms * 2 ** Math.min(times, 30));

/**
 * The wait before attempt `failures + 1`: doubled per failure, capped, and spread over its upper half so that
 * servers that failed together do not come back together.
 *
 * @param failures consecutive failures so far, at least 1
 * @param random a number in [0, 1)
 * @returns milliseconds
 */
export const backoffDelayMs = (policy: BackoffPolicy, failures: number, random: number): number => {
  const ceiling = doubled(policy.initialMs, failures - 1, policy.maxMs);
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
};

/**
 * The time between two looks for what a server needs: doubled per start ahead of its time, capped, so that what comes and goes
 * does not have its server started over and over.
 *
 * @returns milliseconds
 */
export const dependencyCheckDelayMs = (policy: BackoffPolicy, earlyStarts: number): number =>
  doubled(policy.checkMs, earlyStarts, Math.max(policy.checkMs, policy.maxMs));
