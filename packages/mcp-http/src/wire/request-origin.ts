import { type RouteHandler } from './incoming-exchange.ts';
import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import { type EndpointRefusal, toRpcError } from '../protocol/refusal.ts';
import { createHeaderReader, joinValues, KnownHeaders } from '../protocol/client-message.ts';

/** Addresses in one IPv6 network of 64 bits belong to one peer, which can choose any of them. */
const NETWORK_GROUPS = 4;

/**
 * Returns the address of the other end of a connection; an empty string after the connection has closed. An IPv4 client of a
 * dual-stack listener has its IPv4 address.
 */
export const readPeerAddress = ({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string =>
  remoteAddress?.startsWith(MAPPED) === true
    ? remoteAddress.slice(MAPPED.length)
    : (remoteAddress ?? '');

const MAPPED = '::ffff:';
const MAPPED_BITS = 96;

/**
 * Returns the network that limits per address count as one peer: an IPv4 address, or the first 64 bits of an IPv6 address. A text
 * that is not an address is its own network.
 */
export const resolveNetwork = (address: string): string => {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
};

/** The header in which the trusted proxies name the caller. */
type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

/** The proxies in front of the endpoint. */
export interface ProxyOptions {
  /** Addresses and CIDR ranges of proxies whose header names the caller. */
  readonly trustedProxies?: readonly string[];
  /** `x-forwarded-for` when absent. The other header is ignored, because a proxy that sets one may pass on the other. */
  readonly forwardedHeader?: ForwardedHeader;
}

interface AddressedRequest extends Pick<IncomingMessage, 'rawHeaders'> {
  readonly socket: Pick<Socket, 'remoteAddress'>;
}

/** Returns the network of the caller of a request, as {@link resolveNetwork} writes it. */
type CallerAddress = (request: AddressedRequest) => string;

/** Entries of a forwarding header that are read from the right. */
const MAX_HOPS = 32;

/** Parses an address; an IPv4 address becomes an IPv4-mapped one. Returns `undefined` for any other text. */
const parseAddress = (text: string): ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return ipaddr.IPv4.parse(text).toIPv4MappedAddress();
  return isIPv6(text) ? ipaddr.IPv6.parse(text) : undefined;
};

/** Returns whether a text is an address or a CIDR range that `trustedProxies` accepts. */
export const isProxyRange = (text: string): boolean => parseRange(text) !== undefined;

/**
 * Returns the function that finds the caller of a request: the other end of the socket or, when that is a trusted proxy, the last
 * address of the forwarding header that is not one. An entry that is not an address ends the search at the proxy that sent it.
 *
 * @throws RangeError when an entry of `trustedProxies` is neither an address nor a CIDR range
 * @spec RFC 7239 §5.2
 */
export const createCallerAddress = ({
  trustedProxies = [],
  forwardedHeader = 'x-forwarded-for',
}: ProxyOptions): CallerAddress => {
  if (trustedProxies.length === 0) return ({ socket }) => resolveNetwork(readPeerAddress(socket));
  const trusted = trustedProxies.map((text) => {
    const range = parseRange(text);
    if (range === undefined) throw new RangeError(`${text} is not an address range`);
    return range;
  });
  const isTrusted = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && trusted.some((range) => address.match(range));
  };
  const readHops = HOPS[forwardedHeader];
  return (request) => {
    const peer = readPeerAddress(request.socket);
    if (!isTrusted(peer)) return resolveNetwork(peer);
    let caller = peer;
    const lines = createHeaderReader(request)(forwardedHeader) ?? [];
    for (const hop of readHops(lines.join(','))) {
      if (parseAddress(hop) === undefined) break;
      caller = hop;
      if (!isTrusted(hop)) break;
    }
    return resolveNetwork(caller);
  };
};

/** Parses an address or a CIDR range as {@link parseAddress} does, so that ranges of both kinds match addresses of both. */
const parseRange = (text: string): [ipaddr.IPv6, number] | undefined => {
  try {
    // The parser of ranges accepts other notations of numbers too.
    if (isIP(text.split('/', 1)[0] ?? '') === 0) return undefined;
    const range = text.includes('/') ? text : `${text}/${isIPv6(text) ? 128 : 32}`;
    const [address, bits] = ipaddr.parseCIDR(range);
    return address instanceof ipaddr.IPv4
      ? [address.toIPv4MappedAddress(), MAPPED_BITS + bits]
      : [address, bits];
  } catch {
    return undefined;
  }
};

/** The last entries of a list, from the right. */
const listFromRight = (list: string): readonly string[] => {
  const entries: string[] = [];
  let end = list.length;
  while (end >= 0 && entries.length < MAX_HOPS) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1);
    entries.push(list.slice(comma + 1, end).trim());
    end = comma;
  }
  return entries;
};

const FOR_PARAMETER = /(?:^|;)\s*for=(?:"([^"]*)"|([^;"\s]*))\s*(?=;|$)/i;

/** Removes the port of `192.0.2.1:4711` and the brackets and port of `[2001:db8::1]:4711`. */
const trimPort = (node: string): string =>
  /^\[([^\]]*)\](?::[^:]*)?$/.exec(node)?.[1] ?? /^([^:]*)(?::[^:]*)?$/.exec(node)?.[1] ?? node;

const HOPS: Readonly<Record<ForwardedHeader, (list: string) => readonly string[]>> = {
  'x-forwarded-for': (list) => listFromRight(list).map(trimPort),
  forwarded: (list) =>
    listFromRight(list).map((element) => {
      const [, quoted, token] = FOR_PARAMETER.exec(element) ?? [];
      return trimPort(quoted ?? token ?? '');
    }),
};

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
  EndpointRefusal,
  { readonly code: 'host-not-allowed' | 'origin-not-allowed' }
>;

/** Returns the refusal of a request whose `Host` or `Origin` is foreign; `undefined` for an allowed one. */
export type HostGuard = (
  headers: Pick<KnownHeaders, 'host' | 'origin'>,
) => ForeignRefusal | undefined;

const toLowerText = (text: string): string => text.toLowerCase();

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/;

interface Authority {
  readonly name: string;
  readonly authority: string;
}

const parseAuthority = (text: string): Authority | undefined => {
  const authority = text.toLowerCase();
  const name = AUTHORITY.exec(authority)?.[1];
  return name === undefined ? undefined : { name, authority };
};

/** Returns the check whether a list names an origin, or all of them with `*`. */
const isListedOrigin = (allowedOrigins: readonly string[]): ((origin: string) => boolean) => {
  const origins = new Set(allowedOrigins.map(toLowerText));
  return (origin) => origins.has('*') || origins.has(origin.toLowerCase());
};

const ORIGIN = /^https?:\/\/(.+)$/;

/**
 * Builds the guard against DNS rebinding: a page of another site that resolves its own name to this machine
 * still sends its own `Host` and `Origin`. Loopback names always pass, since no other site can own them.
 */
export const createHostGuard = (options: HostGuardOptions): HostGuard => {
  const hosts = new Set([...LOOPBACK_NAMES, ...(options.allowedHosts ?? [])].map(toLowerText));
  const isListed = isListedOrigin(options.allowedOrigins ?? []);
  const isAllowedHost = (host: string): boolean => {
    const parsed = parseAuthority(host);
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
    const parsed = parseAuthority(ORIGIN.exec(origin.toLowerCase())?.[1] ?? '');
    return parsed !== undefined && LOOPBACK_NAMES.includes(parsed.name);
  };
  // Nearly all requests name the same host.
  let lastAllowed: string | undefined;
  return (headers) => {
    const host = joinValues(headers.host) ?? '';
    if (host !== lastAllowed) {
      if (!isAllowedHost(host)) return { code: 'host-not-allowed', host };
      lastAllowed = host;
    }
    const origin = joinValues(headers.origin);
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
    const { message } = toRpcError(refusal);
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
