import { httpTarget } from './http-connections.ts';
import type { HttpParts, HttpTarget } from './http-connections.ts';

/** Redirects in a row that are followed. */
export const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const KEEP_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** The same scheme, host and port, or https instead of http where both ports are the usual ones. */
const isWithinOrigin = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === '');

/** The URL that an answer points to instead of being one. */
export const redirectOf = (
  status: number,
  location: string | readonly string[] | undefined,
  { url }: HttpTarget,
): URL | undefined => {
  if (!REDIRECT_STATUSES.has(status) || typeof location !== 'string') return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
};

/**
 * Where to send the request instead, when the redirect stays within the origin and keeps the method: headers of the
 * server's definition go to nobody else.
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
