const FIRST_MS = 100;
const MAX_MS = 30_000;

/** Returns the delay before the next attempt, in milliseconds: exponential in the number of consecutive failures, with jitter. */
export const backOffMs = (consecutiveFailures: number): number => {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(consecutiveFailures, 20));
  return full / 2 + (Math.random() * full) / 2;
};
