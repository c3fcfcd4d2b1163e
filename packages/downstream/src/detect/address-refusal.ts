import ipaddr from 'ipaddr.js';

/** Where clouds keep credentials for whoever asks, link-local or not. */
const METADATA: ReadonlySet<string> = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  'fd00:c1:0:0:0:0:a9fe:a9fe',
  'fd00:ec2:0:0:0:0:0:254',
  'fd20:ce:0:0:0:0:0:254',
]);

/** Addresses of one's own network, which an operator may allow. */
const PRIVATE: ReadonlyMap<string, string> = new Map([
  ['loopback', 'a loopback address'],
  ['private', 'a private address'],
  ['uniqueLocal', 'a private address'],
  ['carrierGradeNat', 'a private address'],
]);

/** Other words for ranges that nobody may be asked in. */
const FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ['linkLocal', 'a link-local address'],
  ['unspecified', 'an unspecified address'],
  ['multicast', 'a multicast address'],
  ['broadcast', 'a broadcast address'],
]);

/** What else IPv6 calls ordinary lies outside the addresses that are given out. RFC 4291 §2.4 */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** An IPv4 address as IPv6-only networks write it. RFC 6052 §2.1 */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** An IPv4 address in what was once a way to write it in IPv6. RFC 4291 §2.5.5.1 */
const COMPATIBLE = /^::\d+\./;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The address that is really meant: an IPv4 address may be written inside an IPv6 one. */
const meant = (text: string): Address => {
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4' || !address.match(NAT64)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
};

const rangeOf = (address: Address): string => {
  const range = address.range();
  const isOdd = range === 'unicast' && address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST);
  return isOdd ? 'reserved' : range;
};

/** Why an address must not be asked. */
export interface AddressRefusal {
  /** What it is: `a private address`. */
  readonly what: string;
  /** Whether an operator may allow it. */
  readonly allowable: boolean;
}

/**
 * Why an IP address must not be asked on behalf of a caller; `undefined` for a public one. Anything that is not known to be public is
 * refused, so that what is new does not slip through.
 */
export const addressRefusal = (text: string): AddressRefusal | undefined => {
  if (!ipaddr.isValid(text)) return { what: 'no IP address', allowable: false };
  if (COMPATIBLE.test(text)) return { what: 'a reserved address', allowable: false };
  const address = meant(text);
  if (METADATA.has(address.toNormalizedString().split('%', 1)[0] ?? ''))
    return { what: 'a metadata address', allowable: false };
  const range = rangeOf(address);
  if (range === 'unicast') return undefined;
  const allowed = PRIVATE.get(range);
  return allowed === undefined
    ? { what: FORBIDDEN.get(range) ?? 'a reserved address', allowable: false }
    : { what: allowed, allowable: true };
};
