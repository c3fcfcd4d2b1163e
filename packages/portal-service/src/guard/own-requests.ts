import type { IncomingMessage } from 'node:http';
import { createForeignCheck } from '@gateway/mcp-http';

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
