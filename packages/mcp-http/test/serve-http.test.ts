import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBodyReader, createMcpHttp, serveHttp, serveRoutes } from '../src/index.ts';
import type { RouteHandlers } from '../src/index.ts';
import { createRouteLimit } from '../src/calls/admission.ts';
import { startSample } from './endpoint.ts';
import { sampleService } from './sample-service.ts';
import { call, post, rawRequest, rawSocket, readToEnd, rpc, send, until } from './wire-client.ts';

describe('draining', () => {
  it('finishes a running call, refuses new ones and ends idle streams with the advice to reconnect within a second', async () => {
    const endpoint = await startSample();
    const stream = endpoint.send({
      method: 'GET',
      headers: await endpoint.startSession({ revision: '2025-06-18' }),
    });
    const running = endpoint.post(call('hang'));
    await endpoint.untilWaiting(1);
    await until(() => endpoint.stats().streams === 1);
    const kept = await rawSocket(endpoint);
    kept.write(rawRequest([], JSON.stringify(rpc('ping'))).slice(0, -1));

    const drained = endpoint.drain(10_000);
    const [, retryMs] = /^retry: (\d+)\n\n$/.exec((await stream).text) ?? [];
    expect(Number(retryMs)).toBeGreaterThanOrEqual(200);
    expect(Number(retryMs)).toBeLessThanOrEqual(1_000);
    await expect(endpoint.post(rpc('ping'))).rejects.toThrow(/ECONNREFUSED/);
    const late = readToEnd(kept);
    kept.write('}');
    expect(await late).toMatch(/^HTTP\/1\.1 503 [^]*The server is shutting down/);
    expect(endpoint.sample.waiting()).toBe(1);

    endpoint.sample.release();
    expect((await running).json.result.content[0].text).toBe('"released"');
    await drained;
    expect(new Set(Object.values(endpoint.stats()))).toEqual(new Set([0]));
  });

  it('closes connections that do not end in time', async () => {
    const endpoint = await startSample();
    const running = endpoint.post(call('hang'));
    const idle = await rawSocket(endpoint);
    await endpoint.untilWaiting(1);
    const start = performance.now();
    await Promise.all([endpoint.drain(200), readToEnd(idle)]);
    expect(performance.now() - start).toBeLessThan(2_000);
    const error = { code: -32000, message: 'The server is shutting down' };
    expect((await running).json).toEqual({ jsonrpc: '2.0', id: 1, error });
    expect(endpoint.sample.aborted).toEqual(['The server is shutting down']);
    expect(endpoint.stats().inFlight).toBe(0);
  });

  it('happens once, and does not wait for a connection that never sent a request', async () => {
    const endpoint = await startSample();
    const silent = await rawSocket(endpoint);
    const start = performance.now();
    const first = endpoint.drain(10_000);
    expect(endpoint.drain(10_000)).toBe(first);
    await Promise.all([first, readToEnd(silent)]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

it('closes each connection after its next answer once it retires, and serves', async () => {
  const endpoint = await startSample();
  const before = await endpoint.post(rpc('ping'));
  endpoint.retire();
  const after = await endpoint.post(rpc('ping'));
  expect([before.status, before.headers['connection']]).toEqual([200, 'keep-alive']);
  expect([after.status, after.headers['connection']]).toEqual([200, 'close']);
});

describe('routes', () => {
  const start = async () => {
    const endpoint = await startSample({
      routes: {
        '/healthz': (_request, response) => response.end('ok'),
        '/broken': () => {
          throw new Error('inside');
        },
      },
      prefixes: {
        '/api/': (_request, response) => response.end('api'),
        '/api/v1/': ({ url }, response) => response.end(`v1 ${String(url)}`),
      },
    });
    const origin = `http://127.0.0.1:${endpoint.port}`;
    return { ...endpoint, get: (path: string) => send(origin + path, { method: 'GET' }) };
  };

  it('are served at exact paths in addition to /mcp, and nothing else', async () => {
    const { get, errors } = await start();
    expect((await get('/healthz?x=1')).text).toBe('ok');
    for (const path of ['/mcp/', '/constructor', '/api'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/broken')).status).toBe(500);
    expect(errors).toEqual([new Error('inside')]);
  });

  it('are those of the longest matching prefix when no exact path matches, and reported once they are over', async () => {
    const { get, post: postMcp, requests } = await start();
    expect((await get('/api/v1/agents/a?x=/api/')).text).toBe('v1 /api/v1/agents/a?x=/api/');
    expect((await get('/api/v2/agents')).text).toBe('api');
    await postMcp(rpc('ping'));
    await get('/nowhere');
    await until(() => requests.length === 4);
    const durationMs = expect.any(Number) as number;
    expect(requests).toEqual([
      { path: '/api/v1/', method: 'GET', status: 200, durationMs },
      { path: '/api/', method: 'GET', status: 200, durationMs },
      { path: '/mcp', method: 'POST', status: 200, durationMs },
      { path: undefined, method: 'GET', status: 404, durationMs },
    ]);
  });

  it('have bodies that are read up to their bound, and count together until their senders disconnect', async () => {
    const read = createBodyReader({ maxBodyBytes: 8, maxBufferedBodyBytes: 12 });
    const seen: string[] = [];
    const endpoint = await startSample({
      prefixes: {
        '/': (incoming, response) => {
          void read(incoming).then((body) => {
            seen.push(body.kind);
            if (body.kind === 'bytes') response.end(body.bytes);
            else if (body.kind === 'refused') response.writeHead(body.status).end(body.message);
          });
        },
      },
    });
    const answerTo = async (body: string) => {
      const { status, text } = await send(`http://127.0.0.1:${endpoint.port}`, { body });
      return [status, text];
    };
    expect(await answerTo('12345678')).toEqual([200, '12345678']);
    const tooLarge = [413, 'The request body is larger than the 8 bytes allowed'];
    expect(await answerTo('123456789')).toEqual(tooLarge);
    expect(await answerTo('x'.repeat(1_000_000))).toEqual(tooLarge);
    const slow = await rawSocket(endpoint);
    slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n1234567');
    const full = 'Too many request bodies at once: the limit of 12 bytes is reached; retry later';
    await vi.waitFor(async () => {
      expect(await answerTo('123456')).toEqual([503, full]);
    }, 60_000);
    slow.destroy();
    await until(() => seen.includes('gone'));
    expect(await answerTo('123456')).toEqual([200, '123456']);
  });
});

describe('a server of routes', () => {
  const start = async (routes: RouteHandlers) => {
    const serving = await serveRoutes({ host: '127.0.0.1', port: 0, routes });
    onTestFinished(() => serving.close());
    return serving;
  };
  const HEALTH: RouteHandlers = { '/healthz': (_request, response) => response.end('ok') };

  it('answers GET of its paths, 405 to other methods and 404 to other paths', async () => {
    const { url } = await start(HEALTH);
    expect((await send(`${url}/healthz?a=b`, { method: 'GET' })).text).toBe('ok');
    expect((await post(`${url}/healthz`, {})).status).toBe(405);
    for (const path of ['/mcp', '/constructor'])
      expect((await send(url + path, { method: 'GET' })).status).toBe(404);
  });

  it('answers while 200 connections are silent, and closes them', async () => {
    const { url, close } = await start(HEALTH);
    const port = Number(new URL(url).port);
    const sockets: Socket[] = [];
    for (let at = 0; at < 200; at += 1) {
      const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
      await once(socket, 'connect');
      sockets.push(socket.resume());
    }
    expect((await send(`${url}/healthz`, { method: 'GET' })).text).toBe('ok');
    await close();
    await until(() => sockets.every(({ closed }) => closed));
  });

  it('rejects when the address is taken, as the server of an endpoint does', async () => {
    const port = Number(new URL((await start({})).url).port);
    await expect(serveRoutes({ host: '127.0.0.1', port, routes: {} })).rejects.toThrow(
      /EADDRINUSE/,
    );
    const mcp = createMcpHttp(sampleService().service);
    await expect(serveHttp({ host: '127.0.0.1', port, mcp })).rejects.toThrow(/EADDRINUSE/);
    await mcp.close();
  });

  it('lets a running request finish before it stops, within a time', async () => {
    const held: (() => void)[] = [];
    const { url, drain } = await start({
      '/slow': (_request, response) => held.push(() => response.end('late')),
    });
    const first = send(`${url}/slow`, { method: 'GET' });
    await retryAssertion(() => Promise.resolve(expect(held).toHaveLength(1)));
    const drained = drain(10_000);
    held[0]?.();
    expect((await first).text).toBe('late');
    await drained;
  });

  it('answers 429 to an address that exceeds its rate on all routes, and serves others', async () => {
    const rateLimit = { requestsPerSecond: 0.001, burst: 3 };
    const limit = createRouteLimit({ rateLimit, trustedProxies: ['127.0.0.1'] });
    const { url } = await start(
      limit({
        '/one': (_request, response) => response.end('one'),
        '/two': (_request, response) => response.end('two'),
      }),
    );
    const get = (path: string, address: string) =>
      fetch(url + path, { headers: { 'x-forwarded-for': address } });
    const answers: Response[] = [];
    for (const path of ['/one', '/two', '/one', '/two']) answers.push(await get(path, '192.0.2.1'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get('/one', '192.0.2.2')).status).toBe(200);
  });
});
