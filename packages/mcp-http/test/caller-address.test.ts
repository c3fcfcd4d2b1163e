import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  createCallerAddress,
  isProxyRange,
  type ProxyOptions,
} from '../src/wire/request-origin.ts';

const resolveAddress = (
  remoteAddress: string | undefined,
  options: ProxyOptions = {},
  rawHeaders: string[] = [],
): string => createCallerAddress(options)({ socket: { remoteAddress }, rawHeaders });

describe('the address of a caller', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, ''],
  ])('of the socket address %s is %s', (address, key) => {
    expect(resolveAddress(address)).toBe(key);
  });

  it('is the other end of the socket when no proxy is trusted', () => {
    expect(resolveAddress('192.0.2.7', {}, ['X-Forwarded-For', '198.51.100.1'])).toBe('192.0.2.7');
  });

  const trustedProxies = ['10.0.0.0/8', '2001:db8:ffff::1'];
  const forwarded = (...lines: string[]) => lines.flatMap((line) => ['X-Forwarded-For', line]);

  it.each<[string, string, readonly string[], string]>([
    ['what a trusted proxy appended', '10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
    ['the last address before the proxies', '10.0.0.1', ['198.51.100.1, 10.0.0.2'], '198.51.100.1'],
    ['not what the caller wrote itself', '10.0.0.1', ['203.0.113.9, 198.51.100.1'], '198.51.100.1'],
    ['the last of several lines', '10.0.0.1', ['203.0.113.9', '198.51.100.1'], '198.51.100.1'],
    ['without a port', '10.0.0.1', ['198.51.100.1:4711'], '198.51.100.1'],
    ['without brackets', '10.0.0.1', ['[2001:db8:1:2::5]:4711'], '2001:db8:1:2::/64'],
    ['behind an IPv6 proxy', '2001:db8:ffff::1', ['198.51.100.1'], '198.51.100.1'],
    ['behind a mapped proxy address', '::ffff:10.1.2.3', ['198.51.100.1'], '198.51.100.1'],
    ['the proxy when it names nobody', '10.0.0.1', [], '10.0.0.1'],
    ['the proxy that sent nonsense', '10.0.0.1', ['198.51.100.1, <script>'], '10.0.0.1'],
    ['the proxy after an empty entry', '10.0.0.1', ['198.51.100.1, '], '10.0.0.1'],
    ['the first proxy of proxies alone', '10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
    ['the peer that is no proxy', '192.0.2.7', ['198.51.100.1'], '192.0.2.7'],
  ])('is %s', (_title, peer, lines, expected) => {
    expect(resolveAddress(peer, { trustedProxies }, forwarded(...lines))).toBe(expected);
  });

  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['::ffff:10.0.0.0/104', '11.0.0.1', false],
    ['::/0', '10.0.0.1', true],
    ['2000::/3', '32.0.0.1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
  ])('behind %s: %s is a proxy: %s', (range, peer, isProxy) => {
    const address = resolveAddress(peer, { trustedProxies: [range] }, forwarded('203.0.113.9'));
    expect(address === '203.0.113.9').toBe(isProxy);
  });

  it.each([
    ['for=198.51.100.1', '198.51.100.1'],
    ['proto=https; For="[2001:db8:1:2::5]:4711";by=10.0.0.1', '2001:db8:1:2::/64'],
    ['for=203.0.113.9, for=198.51.100.1', '198.51.100.1'],
    ['for=unknown', '10.0.0.1'],
    ['for=_hidden', '10.0.0.1'],
    ['by=10.0.0.1', '10.0.0.1'],
  ])('is read from Forwarded: %s', (line, expected) => {
    const options = { trustedProxies, forwardedHeader: 'forwarded' } as const;
    const headers = ['Forwarded', line, 'X-Forwarded-For', '203.0.113.66'];
    expect(resolveAddress('10.0.0.1', options, headers)).toBe(expected);
  });

  it('is not read from Forwarded while X-Forwarded-For is the header', () => {
    expect(resolveAddress('10.0.0.1', { trustedProxies }, ['Forwarded', 'for=203.0.113.66'])).toBe(
      '10.0.0.1',
    );
  });

  it('is never a text that a caller chose freely', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (line) => {
        const address = resolveAddress('10.0.0.1', { trustedProxies }, ['x-forwarded-for', line]);
        expect(address).toMatch(/^(?:[\d.]+|[\da-f:]+\/64)$/);
      }),
    );
  });

  it('is found in a long header in time', () => {
    const line = '10.0.0.1,'.repeat(100_000);
    const start = performance.now();
    resolveAddress('10.0.0.1', { trustedProxies }, ['x-forwarded-for', line]);
    resolveAddress('10.0.0.1', { trustedProxies, forwardedHeader: 'forwarded' }, [
      'forwarded',
      line,
    ]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('a trusted proxy', () => {
  it.each(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'])('can be %s', (range) => {
    expect(isProxyRange(range)).toBe(true);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', '0x7f.1', 'proxy.example', '', '/8', '10.0.0.1/'])(
    'cannot be %s',
    (range) => {
      expect(isProxyRange(range)).toBe(false);
      expect(() => createCallerAddress({ trustedProxies: [range] })).toThrow(
        `${range} is not an address range`,
      );
    },
  );
});
