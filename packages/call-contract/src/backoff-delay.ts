/** The delays between the attempts of one series. */
export interface Backoff {
  /** The first delay, in milliseconds. Each further one is twice as long. */
  readonly firstMs: number;
  /** The longest delay, in milliseconds. */
  readonly maxMs: number;
  /** The random part of a delay, from 0, the default, to 1. What failed together then does not retry together. */
  readonly jitter?: number;
}

/** More would exceed the numbers that are exact. */
const MAX_DOUBLINGS = 30;

/**
 * Returns the delay before the next attempt, in whole milliseconds.
 *
 * @param attempt the number of delays before this one; a negative number counts as 0
 * @param random a number from 0 to less than 1: 0 gives the shortest delay
 */
export const computeBackoffDelay = (
  attempt: number,
  { firstMs, maxMs, jitter = 0 }: Backoff,
  // eslint-disable-next-line no-restricted-properties -- jitter is random unless the caller chooses
  random = Math.random(),
): number => {
  const whole = Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(attempt, 0), MAX_DOUBLINGS));
  return Math.round(whole * (1 - jitter + jitter * random));
};
