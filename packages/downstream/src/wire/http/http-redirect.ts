import { httpTarget } from './http-connections.ts';
import type { HttpParts, HttpTarget } from './http-connections.ts';

/** Maximum number of redirects. */
export const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const KEEP_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** Returns whether both URLs have the same scheme, host and port, or upgrade http to https on the default ports. */
const isWithinOrigin = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === '');

/** Returns the target of a redirect. */
export const redirectOf = (
  status: number,
  location: string | readonly string[] | undefined,
  { url }: HttpTarget,
): URL | undefined => {
  if (!REDIRECT_STATUSES.has(status) || typeof location !== 'string') return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
};

/**
 * Returns the target of the redirected request when the redirect stays within the origin and preserves the method: headers of the server's
 * definition are sent to no other origin.
 */
export const followed = (
  status: number,
  to: URL,
  from: HttpTarget,
  method: HttpParts['method'],
): HttpTarget | undefined => {
  const keepsMethod = method === 'GET' || KEEP_METHOD.has(status);
  const isPlain = to.username === '' && to.password === '';
  return keepsMethod && isPlain && isWithinOrigin(from.url, to) ? httpTarget(to) : undefined;
};
