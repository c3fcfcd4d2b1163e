import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { createForeignCheck, createMcpHttp, serveHttp } from '../src/index.ts';
import type { RequestEvent } from '../src/transports/http-server.ts';
import { startHttpEndpoint } from './endpoint.ts';
import { sampleService } from './sample-service.ts';
import {
  call,
  openSession,
  post,
  rawRequest,
  rawSocket,
  readToEnd,
  rpc,
  send,
  until,
} from './wire-client.ts';

describe('draining', () => {
  it('finishes a running call, refuses new ones and ends idle streams', async () => {
    const endpoint = await startHttpEndpoint();
    const session = await openSession(endpoint.url);
    const stream = await request(endpoint.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    });
    const running = post(endpoint.url, call('hang'));
    await until(() => endpoint.sample.waiting() === 1);
    const kept = await rawSocket(endpoint);
    kept.write(rawRequest([], JSON.stringify(rpc('ping'))).slice(0, -1));

    const drained = endpoint.drain(10_000);
    expect(await stream.body.text()).toMatch(/^retry: \d+\n\n$/);
    await expect(post(endpoint.url, rpc('ping'))).rejects.toThrow(/ECONNREFUSED/);
    const late = readToEnd(kept);
    kept.write('}');
    expect(await late).toMatch(/^HTTP\/1\.1 503 [^]*The server is shutting down/);
    expect(endpoint.sample.waiting()).toBe(1);

    endpoint.sample.release();
    expect((await running).json.result.content[0].text).toBe('"released"');
    await drained;
    expect(endpoint.stats()).toEqual({
      sessions: 0,
      streams: 0,
      inFlight: 0,
      queuedCalls: 0,
      bufferedBodyBytes: 0,
      unreadBytes: 0,
    });
  });

  it('closes connections that do not end in time', async () => {
    const endpoint = await startHttpEndpoint();
    const running = post(endpoint.url, call('hang'));
    const idle = await rawSocket(endpoint);
    await until(() => endpoint.sample.waiting() === 1);
    const start = performance.now();
    await Promise.all([endpoint.drain(200), readToEnd(idle)]);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect((await running).json).toEqual({
      jsonrpc: '2.0',
      id: expect.any(Number) as number,
      error: { code: -32000, message: 'The server is shutting down' },
    });
    expect([endpoint.sample.aborted, endpoint.stats().inFlight]).toEqual([
      ['The server is shutting down'],
      0,
    ]);
  });

  it('does not wait for a connection that never sent a request', async () => {
    const endpoint = await startHttpEndpoint();
    const silent = await rawSocket(endpoint);
    const start = performance.now();
    await Promise.all([endpoint.drain(10_000), readToEnd(silent)]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('drains once, however often drain is called', async () => {
    const endpoint = await startHttpEndpoint();
    const first = endpoint.drain(100);
    expect(endpoint.drain(100)).toBe(first);
    await first;
  });
});

describe('routes', () => {
  const start = async (events: RequestEvent[]) => {
    const errors: unknown[] = [];
    const serving = await serveHttp({
      host: '127.0.0.1',
      port: 0,
      mcp: createMcpHttp(sampleService().service),
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
      onRequest: (event) => events.push(event),
      onError: (error) => errors.push(error),
    });
    return { ...serving, errors };
  };

  it('serves exact paths in addition to /mcp and nothing else', async () => {
    const { url, drain, errors } = await start([]);
    expect((await send(`${url}/healthz?x=1`, { method: 'GET' })).text).toBe('ok');
    expect((await send(`${url}/mcp/`, { method: 'GET' })).status).toBe(404);
    expect((await send(`${url}/constructor`, { method: 'GET' })).status).toBe(404);
    expect((await send(`${url}/broken`, { method: 'GET' })).status).toBe(500);
    expect(errors).toHaveLength(1);
    await drain(1_000);
  });

  it('serves the longest matching prefix when no exact path matches', async () => {
    const events: RequestEvent[] = [];
    const { url, drain } = await start(events);
    const ask = async (path: string) => (await send(`${url}${path}`, { method: 'GET' })).text;
    expect(await ask('/api/v1/agents/a?x=/api/')).toBe('v1 /api/v1/agents/a?x=/api/');
    expect(await ask('/api/v2/agents')).toBe('api');
    expect((await send(`${url}/api`, { method: 'GET' })).status).toBe(404);
    await until(() => events.length === 3);
    expect(events.map(({ path }) => path)).toEqual(['/api/v1/', '/api/', undefined]);
    await drain(1_000);
  });

  it('reports every request once it is over', async () => {
    const events: RequestEvent[] = [];
    const { url, drain } = await start(events);
    await post(`${url}/mcp`, rpc('ping'));
    await send(`${url}/nowhere`, { method: 'GET' });
    await until(() => events.length === 2);
    expect(events).toEqual([
      { path: '/mcp', method: 'POST', status: 200, durationMs: expect.any(Number) as number },
      { path: undefined, method: 'GET', status: 404, durationMs: expect.any(Number) as number },
    ]);
    await drain(1_000);
  });

  it('rejects when the address is taken', async () => {
    const { port, drain } = await start([]);
    const mcp = createMcpHttp(sampleService().service);
    await expect(serveHttp({ host: '127.0.0.1', port, mcp })).rejects.toThrow(/EADDRINUSE/);
    await mcp.close();
    await drain(1_000);
  });
});

describe('the check for further routes', () => {
  const check = createForeignCheck({
    allowedHosts: ['agents.example'],
    allowedOrigins: ['https://portal.example'],
  });

  it.each([
    [['Host', 'agents.example:8080'], undefined],
    [['Host', 'localhost', 'Origin', 'https://portal.example'], undefined],
    [
      ['Host', 'evil.example'],
      {
        header: 'host',
        value: 'evil.example',
        message: 'Host "evil.example" is not allowed',
      },
    ],
    [
      ['host', 'localhost', 'origin', 'https://evil.example'],
      {
        header: 'origin',
        value: 'https://evil.example',
        message: 'Origin "https://evil.example" is not allowed',
      },
    ],
    [
      ['Host', 'localhost', 'Host', 'localhost'],
      {
        header: 'host',
        value: 'localhost, localhost',
        message: 'Host "localhost, localhost" is not allowed',
      },
    ],
    [[], { header: 'host', value: '', message: 'Host "" is not allowed' }],
  ])('says of %j %j', (rawHeaders, foreign) => {
    expect(check({ rawHeaders })).toEqual(foreign);
  });
});
