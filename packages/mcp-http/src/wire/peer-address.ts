import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

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
