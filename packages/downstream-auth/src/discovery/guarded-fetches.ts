import { createGuardedFetch } from '@gateway/guarded-fetch';
import type { GuardedFetch } from '@gateway/guarded-fetch';

/** Bounds of one request to a server or provider. */
const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 10_000 };

/** Requests to URLs that servers and providers name. */
export interface GuardedFetches {
  /** Returns a `fetch` that may use private addresses at the origins of these URLs, which the operator wrote. */
  of(urls: readonly string[]): GuardedFetch;
  /** As `of` for the URL of a server, also with http to a private address at its origin, as its connection is. */
  ofServer(url: string): GuardedFetch;
  /** As `ofServer`; its responses have no bodies. */
  headersOfServer(url: string): GuardedFetch;
}

/** Creates the requests. `allowPrivate` allows private addresses for all URLs. */
export const createGuardedFetches = (allowPrivate: boolean): GuardedFetches => {
  const allowed = (urls: readonly string[]): ((url: URL) => boolean) => {
    const origins = new Set(urls.map((url) => new URL(url).origin));
    return ({ origin }) => allowPrivate || origins.has(origin);
  };
  const ofServer = (server: string, options: { readonly headersOnly?: boolean }): GuardedFetch => {
    const own = new URL(server).origin;
    const allowPlain = ({ origin }: URL): boolean => origin === own;
    return createGuardedFetch({
      ...LIMITS,
      ...options,
      allowPrivate: allowed([server]),
      allowPlain,
    });
  };
  return {
    of: (urls) => createGuardedFetch({ ...LIMITS, allowPrivate: allowed(urls) }),
    ofServer: (url) => ofServer(url, {}),
    headersOfServer: (url) => ofServer(url, { headersOnly: true }),
  };
};
