import { createGuardedFetch } from '@gateway/guarded-fetch';
import type { GuardedFetch } from '@gateway/guarded-fetch';

/** Bounds of one request to a server or provider. */
const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 10_000 };

/** Requests to URLs that servers and providers name. */
export interface GuardedFetches {
  /** Returns a `fetch` that may use private addresses at the origins of these URLs, which the operator wrote. */
  of(urls: readonly string[]): GuardedFetch;
  /** As `of`; its responses have no bodies. */
  headersOf(urls: readonly string[]): GuardedFetch;
}

/** Creates the requests. `allowPrivate` allows private addresses for all URLs. */
export const createGuardedFetches = (allowPrivate: boolean): GuardedFetches => {
  const allowed = (urls: readonly string[]): ((url: URL) => boolean) => {
    const origins = new Set(urls.map((url) => new URL(url).origin));
    return ({ origin }) => allowPrivate || origins.has(origin);
  };
  return {
    of: (urls) => createGuardedFetch({ ...LIMITS, allowPrivate: allowed(urls) }),
    headersOf: (urls) =>
      createGuardedFetch({ ...LIMITS, allowPrivate: allowed(urls), headersOnly: true }),
  };
};
