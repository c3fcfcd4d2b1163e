import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAddressRefusal } from '../src/address-refusal.ts';

/** Addresses of each kind, with their nearest neighbours that are of another one. */
const TABLE: readonly (readonly [string, string | undefined])[] = [
  ['8.8.8.8', undefined],
  ['2606:4700:4700::1111', undefined],
  ['169.253.255.255', undefined],
  ['169.254.0.0', 'a link-local address'],
  ['169.254.169.254', 'a metadata address'],
  ['169.254.170.2', 'a link-local address'],
  ['169.255.0.0', undefined],
  ['fe80::1', 'a link-local address'],
  ['fe80::1%eth0', 'a link-local address'],
  ['febf:ffff::1', 'a link-local address'],
  ['fd00:ec2::254', 'a metadata address'],
  ['fd20:ce::254', 'a metadata address'],
  ['fd00:c1::a9fe:a9fe', 'a metadata address'],
  ['fd00:ec2::253', 'a private address (may be allowed)'],
  ['100.100.100.200', 'a metadata address'],
  ['100.100.100.201', 'a private address (may be allowed)'],
  ['168.63.129.16', 'a metadata address'],
  ['168.63.129.17', undefined],
  ['0.0.0.0', 'an unspecified address'],
  ['0.1.2.3', 'an unspecified address'],
  ['::', 'an unspecified address'],
  ['223.255.255.255', undefined],
  ['224.0.0.1', 'a multicast address'],
  ['239.255.255.255', 'a multicast address'],
  ['ff02::1', 'a multicast address'],
  ['240.0.0.1', 'a reserved address'],
  ['255.255.255.255', 'a broadcast address'],
  ['126.255.255.255', undefined],
  ['127.0.0.1', 'a loopback address (may be allowed)'],
  ['127.255.255.254', 'a loopback address (may be allowed)'],
  ['::1', 'a loopback address (may be allowed)'],
  ['::2', 'a reserved address'],
  ['9.255.255.255', undefined],
  ['10.0.0.0', 'a private address (may be allowed)'],
  ['11.0.0.0', undefined],
  ['172.15.255.255', undefined],
  ['172.16.0.1', 'a private address (may be allowed)'],
  ['172.31.255.255', 'a private address (may be allowed)'],
  ['172.32.0.0', undefined],
  ['192.168.1.1', 'a private address (may be allowed)'],
  ['192.169.0.0', undefined],
  ['100.63.255.255', undefined],
  ['100.64.0.1', 'a private address (may be allowed)'],
  ['100.128.0.0', undefined],
  ['fc00::1', 'a private address (may be allowed)'],
  ['fdff::1', 'a private address (may be allowed)'],
  ['fec0::1', 'a reserved address'],
  ['192.0.0.192', 'a reserved address'],
  ['192.0.2.1', 'a reserved address'],
  ['198.18.0.1', 'a reserved address'],
  ['2001:db8::1', 'a reserved address'],
  // One address inside another.
  ['::ffff:8.8.8.8', undefined],
  ['::ffff:10.0.0.1', 'a private address (may be allowed)'],
  ['::ffff:169.254.169.254', 'a metadata address'],
  ['::ffff:a9fe:a9fe', 'a metadata address'],
  ['64:ff9b::8.8.8.8', undefined],
  ['64:ff9b::169.254.169.254', 'a metadata address'],
  ['64:ff9b::10.0.0.1', 'a private address (may be allowed)'],
  ['64:ff9b:1::10.0.0.1', 'a reserved address'],
  ['::169.254.169.254', 'a reserved address'],
  ['::8.8.8.8', 'a reserved address'],
  ['::808:808', 'a reserved address'],
  ['2002:a9fe:a9fe::1', 'a reserved address'],
  ['2001:0:a9fe:a9fe::1', 'a reserved address'],
  ['4000::1', 'a reserved address'],
  ['not an address', 'no IP address'],
  ['', 'no IP address'],
];

const said = (address: string): string | undefined => {
  const refusal = findAddressRefusal(address);
  return refusal && `${refusal.what}${refusal.allowable ? ' (may be allowed)' : ''}`;
};

describe('an address', () => {
  it.each(TABLE)('%s is %s', (address, what) => {
    expect(said(address)).toBe(what);
  });

  it('has the same kind in every IPv6 notation', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const text = octets.join('.');
        expect(said(`::ffff:${text}`)).toBe(said(text));
        expect(said(`64:ff9b::${text}`)).toBe(said(text));
      }),
    );
  });
});
