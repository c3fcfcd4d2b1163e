import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import { formatDownstreamError } from '../src/index.ts';
import { eventually, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { startEverything } from './harness/everything.ts';
import { findFreePort } from '@gateway/test-peers';
import { startRawHttp } from './harness/raw-http.ts';
import type { Intercept } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const requirement = defineRequirements(requirements);

const remote = (url: string, spec: Readonly<Record<string, unknown>> = {}, name = 'raw') =>
  defineServer(name, { type: 'streamable-http', url, ...spec });

const unauthorized: Intercept = (_request, response) => {
  response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('no');
  return true;
};

const call = { server: 'raw', tool: 'result', arguments: { result: { fine: 1 } } };

requirement('5.1/auth-oauth', () => {
  it('is Auth Required after a 401, without tools and without a storm of tries', async () => {
    const http = await startRawHttp();
    const other = await startRawHttp();
    http.setIntercept(unauthorized);
    const { downstream } = testDownstream({ backoff: { firstMs: 10, maxMs: 20 } });
    downstream.apply([
      remote(http.url, { auth: { type: 'oauth' } }),
      remote(other.url, {}, 'other'),
    ]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw')).toMatchObject({
      state: 'Auth Required',
      reason: 'the server requires authentication',
      toolsCount: 0,
    });
    expect(downstream.inventories().map(({ name }) => name)).toEqual(['other']);
    const asked = http.headers.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(http.headers.length).toBe(asked);
    const outcome = await downstream.callTool(call);
    expect(outcome.ok ? '' : formatDownstreamError(outcome.error)).toBe(
      'user not authenticated to server raw',
    );
    expect(await downstream.restart('raw')).toEqual({ code: 'auth-required', server: 'raw' });
    http.setIntercept(undefined);
    expect(await downstream.start('raw')).toEqual({ code: 'started', server: 'raw' });
  });

  it('becomes Auth Required when a live server starts to answer 401', async () => {
    const http = await startRawHttp();
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url, { auth: { type: 'oauth' } })]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw').state).toBe('Connected');
    http.setIntercept(unauthorized);
    const outcome = await downstream.callTool(call);
    expect(outcome).toEqual({ ok: false, error: { code: 'server.auth-required', server: 'raw' } });
    await untilState(downstream, 'raw', 'Auth Required');
  });

  it('is Failed after any other refusal', async () => {
    const http = await startRawHttp();
    http.setIntercept((_request, response) => {
      response.writeHead(403).end('go away');
      return true;
    });
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url, { auth: { type: 'oauth' } })]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw')).toMatchObject({
      state: 'Failed',
      reason: 'the server denied access (HTTP 403)',
      failureCode: 'forbidden',
    });
  });

  it.each([
    ['', 'HTTP 500'],
    ['boom in /srv/app/main.js', 'HTTP 500: boom in /srv/app/main.js'],
  ])('is Failed with the status of the answer and its text %j', async (text, reason) => {
    const http = await startRawHttp();
    http.setIntercept((_request, response) => {
      response.writeHead(500).end(text);
      return true;
    });
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Failed', reason });
  });
});

requirement('2.6/state-per-user', () => {
  it('shows Auth Required for the server as a whole, for every caller', async () => {
    const http = await startRawHttp();
    http.setIntercept(unauthorized);
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    expect(Object.keys(viewOf(downstream, 'raw')).sort()).toEqual([
      'definition',
      'failureCode',
      'health',
      'name',
      'nextRetryAt',
      'reason',
      'restartCount',
      'state',
      'status',
      'toolsCount',
    ]);
  });
});

requirement('2.6/run-headers', () => {
  it('sends spec.headers with every request', async () => {
    const http = await startRawHttp();
    const { downstream } = testDownstream();
    downstream.apply([
      remote(http.url, { headers: { 'X-Team': 'blue', Authorization: 'Basic eA==' } }),
    ]);
    await downstream.settled();
    await downstream.callTool(call);
    expect(http.headers.length).toBeGreaterThan(3);
    for (const headers of http.headers)
      expect(headers).toMatchObject({ 'x-team': 'blue', authorization: 'Basic eA==' });
  });

  it('does not send them to other origins after a redirect', async () => {
    const thief = await startRawHttp();
    const http = await startRawHttp();
    http.setIntercept((_request, response) => {
      response.writeHead(307, { location: thief.url }).end();
      return true;
    });
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url, { headers: { Authorization: 'Bearer abc' } })]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw').state).toBe('Failed');
    expect(thief.headers).toEqual([]);
  });
});

requirement('5.1/auth-none', () => {
  it("sends nothing but the protocol's own headers", async () => {
    const http = await startRawHttp();
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    await downstream.callTool(call, { meta: { authorization: 'Bearer of-the-caller' } });
    const names = new Set(http.headers.flatMap((headers) => Object.keys(headers)));
    expect([...names].sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'mcp-method',
      'mcp-protocol-version',
      'user-agent',
    ]);
  });
});

requirement('2.6/run-timeout', () => {
  it('fails a server that does not answer within timeout seconds', async () => {
    const http = await startRawHttp();
    http.setIntercept(() => true);
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url, { timeout: 1 })]);
    const began = Date.now();
    await downstream.settled();
    expect(Date.now() - began).toBeGreaterThanOrEqual(900);
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(viewOf(downstream, 'raw')).toMatchObject({
      state: 'Failed',
      reason: 'not ready within 1 s',
    });
  });

  it('waits for a server that answers late but in time', async () => {
    const methods = {
      initialize: (params: { protocolVersion: string }) =>
        new Promise((resolve) =>
          setTimeout(
            () =>
              resolve({
                protocolVersion: params.protocolVersion,
                capabilities: { tools: {} },
                serverInfo: { name: 'late', version: '1' },
              }),
            700,
          ),
        ),
    };
    const http = await startRawHttp({ methods });
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url, { timeout: 5 })]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw').state).toBe('Connected');
  });
});

describe('a remote server that is not there', () => {
  it('is Failed with the reason, and Connected once it appears', async () => {
    const port = await findFreePort();
    const { downstream } = testDownstream();
    downstream.apply([remote(`http://127.0.0.1:${port}/mcp`)]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw').state).toBe('Failed');
    expect(viewOf(downstream, 'raw').reason).toContain(`ECONNREFUSED 127.0.0.1:${port}`);
    await startRawHttp({ port });
    await untilState(downstream, 'raw', 'Connected');
    expect((await downstream.callTool(call)).ok).toBe(true);
  });

  it('fails a call once when it disappears during the call, and is reconnected when it is back', async () => {
    const http = await startRawHttp({ events: true });
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    const hanging = downstream.callTool({ server: 'raw', tool: 'hang' });
    await eventually('the call arrived', () =>
      http.mcp.seen.some(({ method }) => method === 'tools/call'),
    );
    await http.close();
    expect((await hanging).ok).toBe(false);
    const again = await downstream.callTool(call);
    expect(again.ok ? '' : again.error.code).toBe('server.connection-lost');
    await eventually('it is Failed', () => viewOf(downstream, 'raw').state !== 'Connected');
    const back = await startRawHttp({ port: http.port });
    await untilState(downstream, 'raw', 'Connected');
    expect(back.mcp.seen.filter(({ method }) => method === 'tools/call')).toEqual([]);
  });

  it('is detected as lost without a call', async () => {
    const http = await startRawHttp();
    const { downstream } = testDownstream({ timeouts: { healthIntervalMs: 50 } });
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    await http.close();
    await eventually('it is Failed', () => viewOf(downstream, 'raw').state === 'Failed');
  });
});

describe('what a remote server may send', () => {
  it.each([false, true])('is bounded (events: %s)', async (events) => {
    const http = await startRawHttp({ events });
    const { downstream } = testDownstream({ bounds: { maxMessageBytes: 100_000 } });
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    const ask = (bytes: number) =>
      downstream.callTool({ server: 'raw', tool: 'big', arguments: { bytes } });
    expect((await ask(99_000)).ok).toBe(true);
    const refused = await ask(101_000);
    expect(refused.ok ? '' : refused.error.code).toBe(
      events ? 'server.connection-lost' : 'response.invalid',
    );
    expect((await downstream.callTool(call)).ok).toBe(true);
  });

  it('is refused when it is no JSON-RPC', async () => {
    const http = await startRawHttp();
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    for (const [type, body] of [
      ['application/json', '<html>'],
      ['application/json', '{"jsonrpc":"1.0"}'],
      ['text/html', 'hello'],
    ] as const) {
      http.setIntercept((_request, response) => {
        response.writeHead(200, { 'content-type': type }).end(body);
        return true;
      });
      const outcome = await downstream.callTool(call);
      expect(outcome.ok ? '' : outcome.error.code).toBe('response.invalid');
    }
    http.setIntercept(undefined);
    expect((await downstream.callTool(call)).ok).toBe(true);
  });

  it('may be an HTTP error with a JSON-RPC error in it', async () => {
    const http = await startRawHttp();
    const { downstream } = testDownstream();
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    http.setIntercept((_request, response) => {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"odd"}}');
      return true;
    });
    expect(await downstream.callTool(call)).toEqual({
      ok: false,
      error: { code: 'request.refused', server: 'raw', rpcCode: -32600, message: 'odd' },
    });
  });
});

describe('a server that answers 404 to the GET for an event stream', () => {
  it('stays connected', async () => {
    const http = await startRawHttp();
    http.setIntercept((request, response) => {
      response.setHeader('mcp-session-id', 'one');
      if (request.method !== 'GET') return false;
      response.writeHead(404).end();
      return true;
    });
    const { downstream, log } = testDownstream();
    downstream.apply([remote(http.url)]);
    await downstream.settled();
    await eventually('the stream was asked for', () =>
      log.some(({ event }) => event === 'server.transport-error'),
    );
    expect((await downstream.callTool(call)).ok).toBe(true);
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', restartCount: 0 });
  });
});

describe('a connected server that is killed', () => {
  it.each([
    ['sse', 'sse'],
    ['streamable-http', 'streamableHttp'],
  ] as const)('is Failed by itself over %s, and Connected when it is back', async (type, mode) => {
    const port = await findFreePort();
    const first = await startEverything(mode, port);
    onTestFinished(first.kill);
    const { downstream } = testDownstream({ timeouts: { healthIntervalMs: 500 } });
    downstream.apply([defineServer('live', { type, url: first.url })]);
    await downstream.settled();
    expect(viewOf(downstream, 'live').state).toBe('Connected');
    const call = downstream.callTool({
      server: 'live',
      tool: 'trigger-long-running-operation',
      arguments: { duration: 30, steps: 2 },
    });
    first.kill();
    const outcome = await call;
    expect(outcome.ok ? '' : outcome.error.code).toBe('server.connection-lost');
    await untilState(downstream, 'live', 'Failed');
    const second = await startEverything(mode, port);
    onTestFinished(second.kill);
    await untilState(downstream, 'live', 'Connected');
  });
});

describe('an SSE server that goes away', () => {
  it('is Failed and tried again', async () => {
    const server = createServer((request, response) => {
      if (request.method !== 'GET') return void response.writeHead(500).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: endpoint\ndata: /messages\n\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { downstream } = testDownstream();
    downstream.apply([
      defineServer('sse', { type: 'sse', url: `http://127.0.0.1:${port}/sse`, timeout: 2 }),
    ]);
    await downstream.settled();
    expect(viewOf(downstream, 'sse').state).toBe('Failed');
    await eventually('it is tried again', () => viewOf(downstream, 'sse').restartCount > 1);
  });
});
