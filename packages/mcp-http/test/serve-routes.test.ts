import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { retryAssertion } from '@gateway/repo-checks';
import { afterEach, describe, expect, it } from 'vitest';
import { createForeignCheck, serveRoutes, type RouteServing } from '../src/index.ts';
import { send } from './wire-client.ts';

const servings: RouteServing[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servings.splice(0).map(({ close }) => close()));
});

const start = async (): Promise<string> => {
  const routes = {
    '/healthz': (_request: unknown, response: { end: (text: string) => void }) =>
      response.end('ok'),
  };
  const serving = await serveRoutes({ host: '127.0.0.1', port: 0, routes });
  servings.push(serving);
  return serving.url;
};

describe('a server of routes', () => {
  it('answers GET of its paths, 405 to other methods and 404 to other paths', async () => {
    const url = await start();
    expect((await send(`${url}/healthz?a=b`, { method: 'GET' })).text).toBe('ok');
    expect((await send(`${url}/healthz`, { method: 'POST', body: '{}' })).status).toBe(405);
    expect((await send(`${url}/mcp`, { method: 'GET' })).status).toBe(404);
    expect((await send(`${url}/constructor`, { method: 'GET' })).status).toBe(404);
  });

  it('answers while 200 connections are silent', async () => {
    const url = new URL(await start());
    for (let at = 0; at < 200; at += 1) {
      const socket = connect({ host: url.hostname, port: Number(url.port) });
      socket.on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
    }
    expect((await send(`${url.origin}/healthz`, { method: 'GET' })).text).toBe('ok');
  });

  it('closes its connections', async () => {
    const url = new URL(await start());
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close');
    await servings.pop()?.close();
    await closed;
  });

  it('rejects when the address is taken', async () => {
    const { port } = new URL(await start());
    await expect(
      serveRoutes({ host: '127.0.0.1', port: Number(port), routes: {} }),
    ).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('the check for routes under any address', () => {
  const check = createForeignCheck({ allowAddresses: true });

  it.each(['10.1.2.3', '10.1.2.3:9464', '[2001:db8::1]:9464', 'localhost'])(
    'allows the host %s',
    (host) => {
      expect(check({ rawHeaders: ['Host', host] })).toBeUndefined();
    },
  );

  it.each(['evil.example', '10.1.2.3.evil.example', '1.2.3', '[evil]', ''])(
    'refuses the host %j',
    (host) => {
      expect(check({ rawHeaders: ['Host', host] })).toEqual({
        header: 'host',
        value: host,
        message: `Host ${JSON.stringify(host)} is not allowed`,
      });
    },
  );
});

it('lets a running request finish before it stops, within a time', async () => {
  const held: (() => void)[] = [];
  const hold = (_request: unknown, response: { end: (text: string) => void }): void => {
    held.push(() => response.end('late'));
  };
  const serving = await serveRoutes({ host: '127.0.0.1', port: 0, routes: { '/slow': hold } });
  const first = send(`${serving.url}/slow`, { method: 'GET' });
  await retryAssertion(() => Promise.resolve(expect(held).toHaveLength(1)));
  const drained = serving.drain(10_000);
  held[0]?.();
  expect((await first).text).toBe('late');
  await drained;
});
