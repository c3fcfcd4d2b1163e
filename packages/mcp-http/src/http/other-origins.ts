import type { IncomingMessage } from 'node:http';
import type { RouteHandler } from './http-listener.ts';
import { createForeignCheck, isListedOrigin, type HostGuardOptions } from './host-guard.ts';

/** Methods that pages of other origins may use. */
const METHODS = 'GET, POST, PUT, PATCH, DELETE';

/** Answer headers that pages of other origins may read, in addition to those that every page may read. */
const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate, Retry-After, Location, ETag, X-Request-Id';

/** Browsers keep the answer of a preflight request for this time, in seconds. */
const MAX_AGE = '600';

const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/**
 * Lets pages of `allowedOrigins` use a handler: answers their preflight requests with 204, and adds `Access-Control-*` to the answers of
 * their requests. Pages on loopback names need an entry too: their requests pass the guard, but they may not read answers. Cookies are
 * never allowed. Fetch Standard, section "CORS protocol".
 */
export const serveOtherOrigins = (
  options: HostGuardOptions,
  handle: RouteHandler,
): RouteHandler => {
  const { allowedOrigins = [] } = options;
  if (allowedOrigins.length === 0) return handle;
  const isListed = isListedOrigin(allowedOrigins);
  const foreign = createForeignCheck(options);
  const isForAll = allowedOrigins.includes('*');
  return (request, response) => {
    if (!isForAll) response.setHeader('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !isListed(origin) || foreign(request) !== undefined) {
      handle(request, response);
      return;
    }
    response.setHeader('access-control-allow-origin', isForAll ? '*' : origin);
    if (!isPreflight(request)) {
      response.setHeader('access-control-expose-headers', EXPOSED);
      handle(request, response);
      return;
    }
    const requested = request.headers['access-control-request-headers'];
    response
      .setHeader('access-control-allow-methods', METHODS)
      .setHeader('access-control-max-age', MAX_AGE);
    if (requested !== undefined) response.setHeader('access-control-allow-headers', requested);
    response.writeHead(204).end();
  };
};
