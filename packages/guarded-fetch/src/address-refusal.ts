import ipaddr from 'ipaddr.js';

/** Addresses where cloud providers serve credentials, link-local or not. */
const METADATA: ReadonlySet<string> = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  'fd00:c1:0:0:0:0:a9fe:a9fe',
  'fd00:ec2:0:0:0:0:0:254',
  'fd20:ce:0:0:0:0:0:254',
]);

/** Address ranges of the own network, which an operator may allow. */
const PRIVATE: ReadonlyMap<string, string> = new Map([
  ['loopback', 'a loopback address'],
  ['private', 'a private address'],
  ['uniqueLocal', 'a private address'],
  ['carrierGradeNat', 'a private address'],
]);

const FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ['linkLocal', 'a link-local address'],
  ['unspecified', 'an unspecified address'],
  ['multicast', 'a multicast address'],
  ['broadcast', 'a broadcast address'],
]);

/** Other IPv6 addresses that the library calls unicast are not allocated. RFC 4291 §2.4 */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** IPv4 addresses in IPv6-only networks. RFC 6052 §2.1 */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** The deprecated IPv4-compatible IPv6 addresses. RFC 4291 §2.5.5.1 */
const COMPATIBLE = /^::\d+\./;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns the effective address: an IPv4 address may be embedded in an IPv6 address. */
const resolveAddress = (text: string): Address => {
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4' || !address.match(NAT64)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
};

const findRange = (address: Address): string => {
  const range = address.range();
  const isOdd = range === 'unicast' && address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST);
  return isOdd ? 'reserved' : range;
};

export interface AddressRefusal {
  /** The kind of the address: `a private address`. */
  readonly what: string;
  /** An operator may allow it. */
  readonly allowable: boolean;
}

/**
 * Returns the refusal of an IP address that a caller names; `undefined` for a public one. Every address that is not known to be public is
 * refused.
 */
export const findAddressRefusal = (text: string): AddressRefusal | undefined => {
  if (!ipaddr.isValid(text)) return { what: 'no IP address', allowable: false };
  if (COMPATIBLE.test(text)) return { what: 'a reserved address', allowable: false };
  const address = resolveAddress(text);
  if (METADATA.has(address.toNormalizedString().split('%', 1)[0] ?? ''))
    return { what: 'a metadata address', allowable: false };
  const range = findRange(address);
  if (range === 'unicast') return undefined;
  const allowed = PRIVATE.get(range);
  return allowed === undefined
    ? { what: FORBIDDEN.get(range) ?? 'a reserved address', allowable: false }
    : { what: allowed, allowable: true };
};

/** Returns true for an address of the own network, which an operator may allow: loopback, private, unique local or carrier-grade NAT. */
export const isOwnNetwork = (text: string): boolean => findAddressRefusal(text)?.allowable === true;

export const isLoopbackAddress = (text: string): boolean =>
  findAddressRefusal(text)?.what === PRIVATE.get('loopback');
