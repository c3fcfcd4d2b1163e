import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { KnownHeaders, joined } from '../protocol/request-headers.ts';
import { type Refusal, refusalError } from '../protocol/refusal.ts';
import type { RouteHandler } from './http-listener.ts';

/** The hosts and origins that may reach the endpoint. */
export interface HostGuardOptions {
  /** Host names (any port) or `name:port`, in addition to the loopback names; `*` allows every host. */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins as `scheme://host[:port]`, in addition to those of loopback names; `*` allows every origin. Pages of these origins may also
   * read the answers.
   */
  readonly allowedOrigins?: readonly string[];
  /** Allows every IP address as host: a page of another site can own a name that resolves to this machine, but no address. */
  readonly allowAddresses?: boolean;
}

type ForeignRefusal = Extract<
  Refusal,
  { readonly code: 'host-not-allowed' | 'origin-not-allowed' }
>;

/** Returns the refusal of a request whose `Host` or `Origin` is foreign; `undefined` for an allowed one. */
export type HostGuard = (
  headers: Pick<KnownHeaders, 'host' | 'origin'>,
) => ForeignRefusal | undefined;

const lowerCase = (text: string): string => text.toLowerCase();

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/;

interface Authority {
  readonly name: string;
  readonly authority: string;
}

const authorityOf = (text: string): Authority | undefined => {
  const authority = text.toLowerCase();
  const name = AUTHORITY.exec(authority)?.[1];
  return name === undefined ? undefined : { name, authority };
};

/** Returns the check whether a list names an origin, or all of them with `*`. */
const isListedOrigin = (allowedOrigins: readonly string[]): ((origin: string) => boolean) => {
  const origins = new Set(allowedOrigins.map(lowerCase));
  return (origin) => origins.has('*') || origins.has(origin.toLowerCase());
};

const ORIGIN = /^https?:\/\/(.+)$/;

/**
 * Builds the guard against DNS rebinding: a page of another site that resolves its own name to this machine
 * still sends its own `Host` and `Origin`. Loopback names always pass, since no other site can own them.
 */
export const createHostGuard = (options: HostGuardOptions): HostGuard => {
  const hosts = new Set([...LOOPBACK_NAMES, ...(options.allowedHosts ?? [])].map(lowerCase));
  const isListed = isListedOrigin(options.allowedOrigins ?? []);
  const isAllowedHost = (host: string): boolean => {
    const parsed = authorityOf(host);
    return (
      parsed !== undefined &&
      (hosts.has('*') ||
        hosts.has(parsed.name) ||
        hosts.has(parsed.authority) ||
        (options.allowAddresses === true && isAddress(parsed.name)))
    );
  };
  const isAllowedOrigin = (origin: string): boolean => {
    if (isListed(origin)) return true;
    const parsed = authorityOf(ORIGIN.exec(origin.toLowerCase())?.[1] ?? '');
    return parsed !== undefined && LOOPBACK_NAMES.includes(parsed.name);
  };
  // Nearly all requests name the same host.
  let lastAllowed: string | undefined;
  return (headers) => {
    const host = joined(headers.host) ?? '';
    if (host !== lastAllowed) {
      if (!isAllowedHost(host)) return { code: 'host-not-allowed', host };
      lastAllowed = host;
    }
    const origin = joined(headers.origin);
    if (origin !== undefined && !isAllowedOrigin(origin)) {
      return { code: 'origin-not-allowed', origin };
    }
    return undefined;
  };
};

/** A name in brackets has passed as IPv6 address of an authority. */
const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;

/** The header that makes a request foreign, with its value. */
interface ForeignHeader {
  readonly header: 'host' | 'origin';
  readonly value: string;
  /** The refusal in one sentence. */
  readonly message: string;
}

/** Returns the header that makes a request foreign; `undefined` for an allowed request. */
export type ForeignCheck = (
  request: Pick<IncomingMessage, 'rawHeaders'>,
) => ForeignHeader | undefined;

/** The guard of the endpoint for further routes of the same server. */
export const createForeignCheck = (options: HostGuardOptions): ForeignCheck => {
  const guard = createHostGuard(options);
  return (request) => {
    const refusal = guard(new KnownHeaders(request));
    if (refusal === undefined) return undefined;
    const { message } = refusalError(refusal);
    return refusal.code === 'host-not-allowed'
      ? { header: 'host', value: refusal.host, message }
      : { header: 'origin', value: refusal.origin, message };
  };
};

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
