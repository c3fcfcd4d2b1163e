import type { BackoffPolicy } from '../limits.ts';

/**
 * The wait before attempt `failures + 1`: doubled per failure, capped, and spread over its upper half so that
 * servers that failed together do not come back together.
 *
 * @param failures consecutive failures so far, at least 1
 * @param random a number in [0, 1)
 * @returns milliseconds
 */
export const backoffDelayMs = (policy: BackoffPolicy, failures: number, random: number): number => {
  const doublings = Math.min(failures - 1, 30);
  const ceiling = Math.min(policy.maxMs, policy.initialMs * 2 ** doublings);
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
};
