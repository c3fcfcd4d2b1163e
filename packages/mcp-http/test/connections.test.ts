import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import { call, post, rawRequest, rawSocket, readToEnd, rpc, until } from './wire-client.ts';

const endpoints: Endpoint[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.drain(0)));
});

const start = async (maxConnections: number, options: EndpointOptions = {}): Promise<Endpoint> => {
  const endpoint = await startHttpEndpoint({ ...options, serverLimits: { maxConnections } });
  endpoints.push(endpoint);
  return endpoint;
};

/** Opens a connection from an address of the loopback network. */
const openFrom = async ({ port }: Endpoint, localAddress = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.on('error', () => undefined).resume();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
};

/** Returns the answer to a `ping` on a connection of its own. */
const pingFrom = async (endpoint: Endpoint, localAddress?: string): Promise<string> => {
  const socket = await openFrom(endpoint, localAddress);
  const answer = readToEnd(socket);
  socket.write(rawRequest(['Connection: close'], JSON.stringify(rpc('ping'))));
  return (await answer).slice(0, 'HTTP/1.1 200'.length);
};

/** Opens connections one after another and waits until each one is accepted. */
const openAll = async (endpoint: Endpoint, addresses: readonly string[]): Promise<Socket[]> => {
  const opened: Socket[] = [];
  for (const address of addresses) {
    const socket = await openFrom(endpoint, address);
    const answered = once(socket, 'data');
    socket.write(rawRequest([], JSON.stringify(rpc('ping'))));
    await answered;
    opened.push(socket);
  }
  return opened;
};

const isOpen = (socket: Socket): boolean => !socket.closed;

describe('at the limit of connections, a new connection', () => {
  it('replaces the idle connection that was used the longest time ago', async () => {
    const endpoint = await start(3);
    const [first, second, third] = await openAll(endpoint, Array(3).fill('127.0.0.1') as string[]);
    const used = once(first as Socket, 'data');
    first?.write(rawRequest([], JSON.stringify(rpc('ping'))));
    await used;
    expect(await pingFrom(endpoint)).toBe('HTTP/1.1 200');
    await until(() => second?.closed === true);
    expect([first, third].map((socket) => isOpen(socket as Socket))).toEqual([true, true]);
  });

  it('replaces one of the address that has the most', async () => {
    const endpoint = await start(4);
    const flood = ['127.0.0.2', '127.0.0.2', '127.0.0.2'];
    const [quiet, oldest, ...others] = await openAll(endpoint, ['127.0.0.3', ...flood]);
    expect(await pingFrom(endpoint, '127.0.0.4')).toBe('HTTP/1.1 200');
    await until(() => oldest?.closed === true);
    expect([quiet, ...others].map((socket) => isOpen(socket as Socket))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('replaces one that has sent nothing, and one whose request is incomplete', async () => {
    const endpoint = await start(2);
    const silent = await openFrom(endpoint);
    const slow = await openFrom(endpoint);
    slow.write(rawRequest([], JSON.stringify(rpc('ping'))).slice(0, -1));
    expect(await pingFrom(endpoint)).toBe('HTTP/1.1 200');
    expect(await pingFrom(endpoint)).toBe('HTTP/1.1 200');
    await openFrom(endpoint);
    await openFrom(endpoint);
    await until(() => silent.closed && slow.closed);
  });

  it('is closed at once while all of them have running calls', async () => {
    const endpoint = await start(1);
    const running = post(endpoint.url, call('hang'));
    await until(() => endpoint.sample.waiting() === 1);
    expect(await readToEnd(await rawSocket(endpoint))).toBe('');
    endpoint.sample.release();
    expect((await running).status).toBe(200);
  });
});
