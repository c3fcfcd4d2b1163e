import {
  createRateLimiter,
  DEFAULT_RATE_LIMIT,
  type RateLimit,
  type RateLimiter,
} from '../admission/rate-limiter.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';

/** Refuses requests of callers that exceed their rate. */
export class RequestRate {
  readonly #limiter: RateLimiter;
  readonly #limit: number;

  constructor(limiter: RateLimiter, { requestsPerSecond }: Pick<RateLimit, 'requestsPerSecond'>) {
    this.#limiter = limiter;
    this.#limit = requestsPerSecond;
  }

  /** Charges the caller of an exchange with a number of messages. Returns the refusal when it has sent too many. */
  charge({ caller }: Pick<HttpExchange, 'caller'>, messages: number): Refusal | undefined {
    if (messages === 0) return undefined;
    const waitMs = this.#limiter.take(caller, messages);
    if (waitMs === 0) return undefined;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    return { code: 'rate-limited', limit: this.#limit, retryAfterSeconds };
  }
}

/** Creates the rate of an endpoint; `undefined` when it has none. */
export const requestRateOf = (rateLimit?: Partial<RateLimit>): RequestRate | undefined => {
  if (rateLimit === undefined) return undefined;
  const limit = { ...DEFAULT_RATE_LIMIT, ...rateLimit };
  return new RequestRate(createRateLimiter(limit), limit);
};
