import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { resolveNetwork, readPeerAddress } from '../src/wire/request-origin.ts';

describe('the address of a peer', () => {
  it('is the IPv4 address of an IPv4 client, also on a dual-stack listener', async () => {
    const server = createServer().listen(0, '::');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1' });
    const [accepted] = (await once(server, 'connection')) as [Socket];
    expect(readPeerAddress(accepted)).toBe('127.0.0.1');
    client.destroy();
    server.close();
  });

  it('is empty after the connection has closed', () => {
    expect(readPeerAddress({ remoteAddress: undefined })).toBe('');
  });
});

describe('the network of an address', () => {
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
  ])('of %s is %s', (address, network) => {
    expect(resolveNetwork(address)).toBe(network);
  });
});
