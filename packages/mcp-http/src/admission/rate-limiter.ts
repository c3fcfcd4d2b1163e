import { LRUCache } from 'lru-cache';
import type { Refusal } from '../protocol/refusal.ts';

/** A token bucket for each caller. */
export interface RateLimit {
  /** Tokens that a bucket regains each second; a request takes one. */
  readonly requestsPerSecond: number;
  /** Tokens of a full bucket: the requests that a caller can send at once. */
  readonly burst: number;
  /** Buckets that are stored. Beyond that the least recently used one is forgotten, which fills it. */
  readonly maxCallers: number;
}

/** Admits requests at a limited rate for each caller. */
interface RateLimiter {
  /**
   * Takes tokens of a caller, at most `burst` of them.
   *
   * @returns 0, or the milliseconds after which so many tokens exist when there are too few now; then none is taken
   */
  take(caller: string, tokens: number): number;
}

/** The rate limit that holds where none is given. */
export const DEFAULT_RATE_LIMIT: RateLimit = {
  requestsPerSecond: 200,
  burst: 400,
  maxCallers: 50_000,
};

/**
 * Creates a rate limiter for this process. A bucket is one number, the time at which it is full again (generic cell rate
 * algorithm), so that a request costs no timer. The clock is monotonic.
 */
export const createRateLimiter = (
  { requestsPerSecond, burst, maxCallers }: RateLimit,
  now: () => number = () => performance.now(),
): RateLimiter => {
  const fullAt = new LRUCache<string, number>({ max: maxCallers });
  const msPerToken = 1000 / requestsPerSecond;
  const msPerBucket = burst * msPerToken;
  return {
    take(caller, tokens) {
      const time = now();
      const next =
        Math.max(time, fullAt.get(caller) ?? time) + Math.min(tokens, burst) * msPerToken;
      const waitMs = next - time - msPerBucket;
      // Sums of fractions are inexact.
      if (waitMs > TOLERANCE_MS) return waitMs;
      fullAt.set(caller, next);
      return 0;
    },
  };
};

const TOLERANCE_MS = 1e-6;

/** Charges a caller with a number of messages. Returns the refusal when it has sent too many. */
export type RequestRate = (caller: string, messages: number) => Refusal | undefined;

/** Creates the rate of an endpoint; without a limit it refuses nothing. */
export const createRequestRate = (rateLimit?: Partial<RateLimit>): RequestRate => {
  if (rateLimit === undefined) return () => undefined;
  const rate = { ...DEFAULT_RATE_LIMIT, ...rateLimit };
  const limiter = createRateLimiter(rate);
  return (caller, messages) => {
    const waitMs = messages === 0 ? 0 : limiter.take(caller, messages);
    if (waitMs === 0) return undefined;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    return { code: 'rate-limited', limit: rate.requestsPerSecond, retryAfterSeconds };
  };
};
