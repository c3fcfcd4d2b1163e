import { type Socket, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { headerReader } from '../protocol/request-headers.ts';

/** Addresses in one IPv6 network of 64 bits belong to one peer, which can choose any of them. */
const NETWORK_GROUPS = 4;

/**
 * Returns the address of the other end of a connection; an empty string after the connection has closed. An IPv4 client of a
 * dual-stack listener has its IPv4 address.
 */
export const peerAddress = ({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string =>
  remoteAddress?.startsWith(MAPPED) === true
    ? remoteAddress.slice(MAPPED.length)
    : (remoteAddress ?? '');

const MAPPED = '::ffff:';
const MAPPED_BITS = 96;

/**
 * Returns the network that limits per address count as one peer: an IPv4 address, or the first 64 bits of an IPv6 address. A text
 * that is not an address is its own network.
 */
export const networkOf = (address: string): string => {
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

/** Returns the network of the caller of a request, as {@link networkOf} writes it. */
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
  if (trustedProxies.length === 0) return ({ socket }) => networkOf(peerAddress(socket));
  const trusted = trustedProxies.map((text) => {
    const range = parseRange(text);
    if (range === undefined) throw new RangeError(`${text} is not an address range`);
    return range;
  });
  const isTrusted = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && trusted.some((range) => address.match(range));
  };
  const hopsOf = HOPS[forwardedHeader];
  return (request) => {
    const peer = peerAddress(request.socket);
    if (!isTrusted(peer)) return networkOf(peer);
    let caller = peer;
    const lines = headerReader(request)(forwardedHeader) ?? [];
    for (const hop of hopsOf(lines.join(','))) {
      if (parseAddress(hop) === undefined) break;
      caller = hop;
      if (!isTrusted(hop)) break;
    }
    return networkOf(caller);
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
const lastFirst = (list: string): readonly string[] => {
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
const withoutPort = (node: string): string =>
  /^\[([^\]]*)\](?::[^:]*)?$/.exec(node)?.[1] ?? /^([^:]*)(?::[^:]*)?$/.exec(node)?.[1] ?? node;

const HOPS: Readonly<Record<ForwardedHeader, (list: string) => readonly string[]>> = {
  'x-forwarded-for': (list) => lastFirst(list).map(withoutPort),
  forwarded: (list) =>
    lastFirst(list).map((element) => {
      const [, quoted, token] = FOR_PARAMETER.exec(element) ?? [];
      return withoutPort(quoted ?? token ?? '');
    }),
};
