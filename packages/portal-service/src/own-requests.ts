import { createForeignCheck } from '@gateway/mcp-http';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Distinguishes requests of pages of the portal from those of other sites. */
export interface OwnRequests {
  /** Returns whether the `Host` and the `Origin` of a request are foreign, as after DNS rebinding. */
  readonly isForeign: (request: IncomingMessage) => boolean;
  /** Returns whether the browser names a page of the portal, or no page, as the sender of a request. */
  readonly isOfPage: (request: IncomingMessage) => boolean;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Sites of the Fetch Metadata that are no page of the portal. */
const OTHER_SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/**
 * Creates the checks of a portal.
 *
 * @param allowedHosts further host names, for proxies that replace the header `Host`; `*` allows every host
 */
export const createOwnRequests = (
  publicUrl: URL,
  allowedHosts: readonly string[] = [],
): OwnRequests => {
  const foreign = createForeignCheck({
    allowedHosts: [publicUrl.host, ...allowedHosts],
    allowedOrigins: [publicUrl.origin],
  });
  const isOwnOrigin = (origin: string, host: string): boolean =>
    origin === publicUrl.origin ||
    // A portal on the loopback address is the same under all loopback names.
    (LOOPBACK.test(publicUrl.host) && LOOPBACK.test(host) && origin === `http://${host}`);
  return {
    isForeign: (request) => foreign(request) !== undefined,
    isOfPage: ({ headers }) => {
      if (OTHER_SITES.has(headers['sec-fetch-site']?.toString() ?? '')) return false;
      const { origin, host = '' } = headers;
      return origin === undefined || isOwnOrigin(origin, host);
    },
  };
};

/** The header in which pages of the portal repeat the token of their session. */
export const REQUEST_TOKEN_HEADER = 'x-portal-token';

/** Issues and checks the tokens that pages of other sites cannot know. */
export interface RequestTokens {
  /** Returns the token of a session. */
  readonly tokenOf: (sessionId: string) => string;
  /** Returns whether a value is the token of a session, in constant time. */
  readonly isToken: (value: unknown, sessionId: string) => boolean;
}

/** Creates the tokens of all replicas that share the key. */
export const createRequestTokens = (key: Uint8Array): RequestTokens => {
  const tokenOf = (sessionId: string): string =>
    createHmac('sha256', key).update(`request-token:${sessionId}`).digest('base64url');
  return {
    tokenOf,
    isToken: (value, sessionId) => {
      if (typeof value !== 'string') return false;
      const [given, expected] = [Buffer.from(value), Buffer.from(tokenOf(sessionId))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};
