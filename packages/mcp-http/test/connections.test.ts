import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSample, type Endpoint } from './endpoint.ts';
import { call, rawRequest, rawSocket, readToEnd, rpc, until } from './wire-client.ts';

const PING = JSON.stringify(rpc('ping'));

const start = (maxConnections: number): Promise<Endpoint> =>
  startSample({ serverLimits: { maxConnections } });

/** Opens a connection from an address of the loopback network. */
const openFrom = async (endpoint: Endpoint, address?: string): Promise<Socket> => {
  const socket = (await rawSocket(endpoint, address)).resume();
  onTestFinished(() => void socket.destroy());
  return socket;
};

/** Sends a `ping` and waits for its answer. */
const ping = async (socket: Socket): Promise<Socket> => {
  const answered = once(socket, 'data');
  socket.write(rawRequest([], PING));
  await answered;
  return socket;
};

const openPinged = async (endpoint: Endpoint, address?: string): Promise<Socket> =>
  ping(await openFrom(endpoint, address));

/** Returns the answer to a `ping` on a connection of its own. */
const pingFrom = async (endpoint: Endpoint, address?: string): Promise<string> => {
  const socket = await openFrom(endpoint, address);
  const answer = readToEnd(socket);
  socket.write(rawRequest(['Connection: close'], PING));
  return (await answer).slice(0, 'HTTP/1.1 200'.length);
};

describe('at the limit of connections, a new connection', () => {
  it('replaces the idle connection that was used the longest time ago', async () => {
    const endpoint = await start(3);
    const first = await openPinged(endpoint);
    const second = await openPinged(endpoint);
    const third = await openPinged(endpoint);
    await ping(first);
    expect(await pingFrom(endpoint)).toBe('HTTP/1.1 200');
    await until(() => second.closed);
    expect([first.closed, third.closed]).toEqual([false, false]);
  });

  it('replaces one of the address that has the most', async () => {
    const endpoint = await start(4);
    const quiet = await openPinged(endpoint, '127.0.0.3');
    const oldest = await openPinged(endpoint, '127.0.0.2');
    const second = await openPinged(endpoint, '127.0.0.2');
    const third = await openPinged(endpoint, '127.0.0.2');
    expect(await pingFrom(endpoint, '127.0.0.4')).toBe('HTTP/1.1 200');
    await until(() => oldest.closed);
    expect([quiet, second, third].map(({ closed }) => closed)).toEqual([false, false, false]);
  });

  it('replaces one that has sent nothing, and one whose request is incomplete', async () => {
    const endpoint = await start(2);
    const silent = await openFrom(endpoint);
    const slow = await openFrom(endpoint);
    slow.write(rawRequest([], PING).slice(0, -1));
    for (let at = 0; at < 2; at += 1) expect(await pingFrom(endpoint)).toBe('HTTP/1.1 200');
    for (let at = 0; at < 2; at += 1) await openFrom(endpoint);
    await until(() => silent.closed && slow.closed);
  });

  it('is closed at once while all of them have running calls', async () => {
    const endpoint = await start(1);
    const running = endpoint.post(call('hang'));
    await endpoint.untilWaiting(1);
    expect(await readToEnd(await rawSocket(endpoint))).toBe('');
    endpoint.sample.release();
    expect((await running).status).toBe(200);
  });
});
