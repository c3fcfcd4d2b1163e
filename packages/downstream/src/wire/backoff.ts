import type { BackoffPolicy } from './limits.ts';

/** Returns a time in milliseconds, doubled so many times and capped. */
export const doubledMs = (ms: number, times: number, maxMs: number): number =>
  Math.min(maxMs, ms * 2 ** Math.min(times, 30));

/**
 * Returns the delay before attempt `failures + 1`: doubled per failure, capped, with jitter in its upper half, so that servers that failed
 * together do not retry together.
 *
 * @param failures consecutive failures so far, at least 1
 * @param random a number in [0, 1)
 * @returns milliseconds
 */
export const backoffDelayMs = (policy: BackoffPolicy, failures: number, random: number): number => {
  const ceiling = doubledMs(policy.initialMs, failures - 1, policy.maxMs);
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
};

/**
 * Returns the interval between two checks for a missing dependency: doubled per early start and capped, so that an unstable dependency does
 * not cause endless starts.
 *
 * @returns milliseconds
 */
export const dependencyCheckDelayMs = (policy: BackoffPolicy, earlyStarts: number): number =>
  doubledMs(policy.checkMs, earlyStarts, Math.max(policy.checkMs, policy.maxMs));
