import { createForeignCheck } from '@gateway/mcp-http';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Checks that a request comes from a portal page and not from another site. */
export interface PortalRequestChecks {
  /** Returns whether `Host` or `Origin` is not an address of the portal, as after DNS rebinding. */
  readonly isForeign: (request: IncomingMessage) => boolean;
  /** Returns whether the browser reports a portal page, or no page, as the origin of a request. */
  readonly isFromPortal: (request: IncomingMessage) => boolean;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Values of `Sec-Fetch-Site` that are not sent by portal pages. */
const NON_PORTAL_SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/**
 * Creates the checks of a portal.
 *
 * @param allowedHosts further host names, for proxies that replace the header `Host`; `*` allows every host
 */
export const createPortalRequestChecks = (
  publicUrl: URL,
  allowedHosts: readonly string[] = [],
): PortalRequestChecks => {
  const checkForeign = createForeignCheck({
    allowedHosts: [publicUrl.host, ...allowedHosts],
    allowedOrigins: [publicUrl.origin],
  });
  const isOwnOrigin = (origin: string, host: string): boolean =>
    origin === publicUrl.origin ||
    // A portal on the loopback address is the same under all loopback names.
    (LOOPBACK.test(publicUrl.host) && LOOPBACK.test(host) && origin === `http://${host}`);
  return {
    isForeign: (request) => checkForeign(request) !== undefined,
    isFromPortal: ({ headers }) => {
      if (NON_PORTAL_SITES.has(headers['sec-fetch-site']?.toString() ?? '')) return false;
      const { origin, host = '' } = headers;
      return origin === undefined || isOwnOrigin(origin, host);
    },
  };
};

/** The header in which portal pages send the token of their session. */
export const REQUEST_TOKEN_HEADER = 'x-portal-token';

/** Issues and checks CSRF tokens. */
export interface RequestTokens {
  /** Returns the token of a session. */
  readonly computeToken: (sessionId: string) => string;
  /** Returns whether a value is the token of a session, in constant time. */
  readonly isToken: (value: unknown, sessionId: string) => boolean;
}

/** Creates the tokens of all replicas that share the key. */
export const createRequestTokens = (key: Uint8Array): RequestTokens => {
  const computeToken = (sessionId: string): string =>
    createHmac('sha256', key).update(`request-token:${sessionId}`).digest('base64url');
  return {
    computeToken,
    isToken: (value, sessionId) => {
      if (typeof value !== 'string') return false;
      const [given, expected] = [Buffer.from(value), Buffer.from(computeToken(sessionId))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};
