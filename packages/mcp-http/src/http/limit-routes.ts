import {
  createRateLimiter,
  DEFAULT_RATE_LIMIT,
  type RateLimit,
} from '../admission/rate-limiter.ts';
import { answerEmpty } from '../wire/http-exchange.ts';
import { createCallerAddress, type ProxyOptions } from '../wire/caller-address.ts';
import type { RouteHandler } from './http-listener.ts';

/** How many requests an address may send to some routes. */
interface RouteLimitOptions extends ProxyOptions {
  readonly rateLimit: Partial<RateLimit>;
}

type Handlers = Readonly<Record<string, RouteHandler>>;

/**
 * Returns a function that limits handlers: a request of an address that exceeds its rate is answered with 429 and `Retry-After`. All handlers that
 * one function limits share the rate. Addresses of one IPv6 network (/64) count as one.
 *
 * @throws RangeError when an entry of `trustedProxies` is neither an address nor a CIDR range
 */
export const createRouteLimit = ({
  rateLimit,
  ...proxies
}: RouteLimitOptions): ((handlers: Handlers) => Handlers) => {
  const addressOf = createCallerAddress(proxies);
  const limiter = createRateLimiter({ ...DEFAULT_RATE_LIMIT, ...rateLimit });
  const limited =
    (handle: RouteHandler): RouteHandler =>
    (request, response) => {
      const waitMs = limiter.take(addressOf(request), 1);
      if (waitMs === 0) {
        handle(request, response);
        return;
      }
      response.setHeader('retry-after', String(Math.ceil(waitMs / 1000)));
      request.resume();
      answerEmpty(response, 429);
    };
  return (handlers) =>
    Object.fromEntries(Object.entries(handlers).map(([path, handle]) => [path, limited(handle)]));
};
