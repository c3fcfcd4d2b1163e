import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createForeignCheck } from '../src/index.ts';
import {
  createCallerAddress,
  isProxyRange,
  readPeerAddress,
  resolveNetwork,
  type ProxyOptions,
} from '../src/wire/request-origin.ts';
import { startSample } from './endpoint.ts';
import { rpc } from './wire-client.ts';

const resolveAddress = (
  remoteAddress: string | undefined,
  options: ProxyOptions = {},
  rawHeaders: string[] = [],
): string => createCallerAddress(options)({ socket: { remoteAddress }, rawHeaders });

it('the address of a peer is the IPv4 address of an IPv4 client, also on a dual-stack listener', async () => {
  const server = createServer().listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1' });
  const [accepted] = (await once(server, 'connection')) as [Socket];
  expect(readPeerAddress(accepted)).toBe('127.0.0.1');
  client.destroy();
  server.close();
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unix:', 'unix:'],
  ['', ''],
])('the network of %s is %s', (address, network) => {
  expect([resolveNetwork(address), resolveAddress(address)]).toEqual([network, network]);
});

describe('the address of a caller', () => {
  const trustedProxies = ['10.0.0.0/8', '2001:db8:ffff::1'];
  const forwarded = (...lines: string[]) => lines.flatMap((line) => ['X-Forwarded-For', line]);

  it('is the other end of the socket when no proxy is trusted, and empty after the connection has closed', () => {
    expect(resolveAddress('192.0.2.7', {}, forwarded('198.51.100.1'))).toBe('192.0.2.7');
    expect(resolveAddress(undefined)).toBe('');
  });

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
  ])('is read from Forwarded: %s, and only where that is the header', (line, expected) => {
    const options = { trustedProxies, forwardedHeader: 'forwarded' } as const;
    const headers = ['Forwarded', line, ...forwarded('203.0.113.66')];
    expect(resolveAddress('10.0.0.1', options, headers)).toBe(expected);
    expect(resolveAddress('10.0.0.1', { trustedProxies }, ['Forwarded', line])).toBe('10.0.0.1');
  });

  it('is never a text that a caller chose freely', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (line) => {
        const address = resolveAddress('10.0.0.1', { trustedProxies }, forwarded(line));
        expect(address).toMatch(/^(?:[\d.]+|[\da-f:]+\/64)$/);
      }),
    );
  });

  it('is found in a long header in time', () => {
    const line = '10.0.0.1,'.repeat(100_000);
    const start = performance.now();
    for (const forwardedHeader of ['x-forwarded-for', 'forwarded'] as const)
      resolveAddress('10.0.0.1', { trustedProxies, forwardedHeader }, [forwardedHeader, line]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  const NO_RANGES = ['10.0.0.0/33', '10.0.0/8', '0x7f.1', 'proxy.example', '', '/8', '10.0.0.1/'];
  it.each(NO_RANGES)('cannot have the proxies %j', (range) => {
    expect(isProxyRange(range)).toBe(false);
    const create = () => createCallerAddress({ trustedProxies: [range] });
    expect(create).toThrow(`${range} is not an address range`);
  });

  it.each(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'])(
    'can have the proxies %s',
    (range) => {
      expect(isProxyRange(range)).toBe(true);
    },
  );
});

describe('the check of Host and Origin', () => {
  const check = createForeignCheck({
    allowedHosts: ['gateway.example', 'Port.Example:81'],
    allowedOrigins: ['https://app.example'],
  });
  const createForeign = (name: 'Host' | 'Origin', value: string) => {
    const message = `${name} ${JSON.stringify(value)} is not allowed`;
    return { header: name.toLowerCase(), value, message };
  };
  const LOOPBACK = ['localhost', 'LOCALHOST:8090', '127.0.0.1:1', '[::1]:8090'];
  const LISTED = ['gateway.example', 'gateway.example:8443', 'port.example:81'];
  const FOREIGN = ['port.example:82', 'evil.example', '', '10.1.2.3', '[2001:db8::1]:9464'];
  const ALIKE = ['localhost.evil.example', 'localhost@evil.example', '127.0.0.1.evil.example'];

  it.each([...LOOPBACK, ...LISTED])('allows the host %s', (host) => {
    expect(check({ rawHeaders: ['Host', host] })).toBeUndefined();
  });

  it.each([...FOREIGN, ...ALIKE, 'localhost, evil.example'])('refuses the host %j', (host) => {
    expect(check({ rawHeaders: ['host', host] })).toEqual(createForeign('Host', host));
  });

  it.each([
    ['http://localhost', true],
    ['http://127.0.0.1:6274', true],
    ['https://[::1]:3', true],
    ['https://app.example', true],
    ['https://app.example:444', false],
    ['http://app.example', false],
    ['https://evil.example', false],
    ['http://localhost.evil.example', false],
    ['null', false],
    ['file://localhost', false],
  ])('allows the origin %j: %s', (origin, isAllowed) => {
    const rawHeaders = ['Host', 'localhost', 'origin', origin];
    const foreign = isAllowed ? undefined : createForeign('Origin', origin);
    expect(check({ rawHeaders })).toEqual(foreign);
  });

  it('refuses a repeated host and none, and allows all with *', () => {
    const rawHeaders = ['Host', 'localhost', 'Host', 'localhost'];
    expect(check({ rawHeaders })).toEqual(createForeign('Host', 'localhost, localhost'));
    expect(check({ rawHeaders: [] })).toEqual(createForeign('Host', ''));
    const checkAny = createForeignCheck({ allowedHosts: ['*'], allowedOrigins: ['*'] });
    expect(checkAny({ rawHeaders: ['Host', 'x.example', 'Origin', 'http://y'] })).toBeUndefined();
  });

  it('allows addresses, and nothing that resembles one, where every address is allowed', () => {
    const checkAddress = createForeignCheck({ allowAddresses: true });
    for (const host of ['10.1.2.3', '10.1.2.3:9464', '[2001:db8::1]:9464', 'localhost'])
      expect(checkAddress({ rawHeaders: ['Host', host] })).toBeUndefined();
    for (const host of ['evil.example', '10.1.2.3.evil.example', '1.2.3', '[evil]', ''])
      expect(checkAddress({ rawHeaders: ['Host', host] })).toEqual(createForeign('Host', host));
  });

  it('is made before the body is read', async () => {
    const { send } = await startSample();
    const headers = { origin: 'http://evil.example' };
    const { status, json } = await send({ body: '{', headers });
    const error = { code: -32000, message: 'Origin "http://evil.example" is not allowed' };
    expect([status, json]).toEqual([403, { jsonrpc: '2.0', id: null, error }]);
  });
});

describe('a page of an origin', () => {
  const APP = 'https://app.example';

  const answered = async (
    allowedOrigins: readonly string[],
    headers: Readonly<Record<string, string>>,
    method: 'OPTIONS' | 'POST' = 'OPTIONS',
  ) => {
    const { send } = await startSample({ allowedOrigins });
    const body = method === 'POST' ? { body: JSON.stringify(rpc('ping')) } : {};
    const answer = await send({ method, headers, ...body });
    const cors = Object.entries(answer.headers).filter(([name]) => /^(access-|vary)/.test(name));
    return { status: answer.status, ...Object.fromEntries(cors) };
  };

  const preflight = (origin: string) => ({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,mcp-session-id',
  });

  it('that is allowed gets an answer to its preflight, and may read answers and the ID of its session', async () => {
    expect(await answered([APP], preflight(APP))).toEqual({
      status: 204,
      vary: 'Origin',
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,content-type,mcp-session-id',
      'access-control-max-age': '600',
    });
    expect(await answered([APP], { origin: APP }, 'POST')).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': APP,
      'access-control-expose-headers': expect.stringContaining('Mcp-Session-Id'),
    });
  });

  it.each([APP, 'null'])('is allowed with *: %s', async (origin) => {
    const answer = await answered(['*'], preflight(origin));
    expect(answer).toMatchObject({ status: 204, 'access-control-allow-origin': '*' });
    expect(answer).not.toHaveProperty('vary');
  });

  const LOCAL = 'http://localhost:3000';
  it.each([
    ['through a foreign host', [APP], { ...preflight(APP), host: 'rebound.example' }, 403],
    ['from another origin', [APP], preflight('https://evil.example'), 403],
    ['where no origin is listed', [], preflight('https://evil.example'), 403],
    ['from a loopback name that is not listed', [], preflight(LOCAL), 405],
  ])('gets no permission %s', async (_title, origins, headers, status) => {
    const vary = origins.length === 0 ? {} : { vary: 'Origin' };
    expect(await answered(origins, headers)).toEqual({ status, ...vary });
  });

  it('on a listed loopback name gets permission, and OPTIONS is no preflight without its headers', async () => {
    expect(await answered([LOCAL], preflight(LOCAL))).toMatchObject({ status: 204 });
    const refused = { status: 405, 'access-control-allow-origin': APP };
    expect(await answered([APP], { origin: APP })).toMatchObject(refused);
  });
});
