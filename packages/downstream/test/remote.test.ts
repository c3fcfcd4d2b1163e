import { describe, expect, it, onTestFinished } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import { formatDownstreamError } from '../src/index.ts';
import { eventually, running, untilState, viewOf } from './harness/downstream.ts';
import { startEverything } from './harness/everything.ts';
import { findFreePort } from '@gateway/test-peers';
import { call, connected, fine, remote } from './harness/http-connection.ts';
import { EVENTS, respond, serve, startRawHttp } from './harness/raw-http.ts';
import type { Intercept } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const requirement = defineRequirements(requirements);

const OAUTH = { auth: { type: 'oauth' } };
const unauthorized = respond(401, 'no', { 'www-authenticate': 'Bearer' });

/** A server that answers every request so, and was tried. */
const tried = async (intercept: Intercept, spec: Readonly<Record<string, unknown>> = {}) => {
  const http = await startRawHttp();
  http.setIntercept(intercept);
  const { downstream } = await running([remote(http.url, spec)]);
  return viewOf(downstream, 'raw');
};

requirement('5.1/auth-oauth', () => {
  it('is Auth Required after a 401, without tools and without a storm of tries', async () => {
    const http = await startRawHttp();
    const other = await startRawHttp();
    http.setIntercept(unauthorized);
    const servers = [remote(http.url, OAUTH), remote(other.url, {}, 'other')];
    const { downstream } = await running(servers, { backoff: { firstMs: 10, maxMs: 20 } });
    const reason = 'the server requires authentication';
    const view = { state: 'Auth Required', reason, toolsCount: 0 };
    expect(viewOf(downstream, 'raw')).toMatchObject(view);
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
    const { raw, downstream } = await connected({}, {}, OAUTH);
    raw.setIntercept(unauthorized);
    const error = { code: 'server.auth-required', server: 'raw' };
    expect(await downstream.callTool(call)).toEqual({ ok: false, error });
    await untilState(downstream, 'raw', 'Auth Required');
  });

  it.each([
    [403, 'go away', 'the server denied access (HTTP 403)', 'forbidden'],
    [500, '', 'HTTP 500', 'other'],
    [500, 'boom in /srv/app/main.js', 'HTTP 500: boom in /srv/app/main.js', 'other'],
  ])('is Failed after any other refusal: HTTP %i %j', async (status, text, reason, failureCode) => {
    const failure = { state: 'Failed', reason, failureCode };
    expect(await tried(respond(status, text), OAUTH)).toMatchObject(failure);
  });
});

requirement('2.6/state-per-user', () => {
  it('shows Auth Required for the server as a whole, for every caller', async () => {
    expect(
      Object.keys(await tried(unauthorized))
        .sort()
        .join(' '),
    ).toBe(
      'definition failureCode health name nextRetryAt reason restartCount state status toolsCount',
    );
  });
});

requirement('2.6/run-headers', () => {
  it('sends spec.headers with every request', async () => {
    const headers = { 'X-Team': 'blue', Authorization: 'Basic eA==' };
    const { raw, downstream } = await connected({}, {}, { headers });
    await downstream.callTool(call);
    expect(raw.headers.length).toBeGreaterThan(3);
    for (const sent of raw.headers)
      expect(sent).toMatchObject({ 'x-team': 'blue', authorization: 'Basic eA==' });
  });

  it('does not send them to other origins after a redirect', async () => {
    const thief = await startRawHttp();
    const headers = { Authorization: 'Bearer abc' };
    const view = await tried(respond(307, '', { location: thief.url }), { headers });
    expect([view.state, thief.headers]).toEqual(['Failed', []]);
  });
});

requirement('5.1/auth-none', () => {
  it("sends nothing but the protocol's own headers", async () => {
    const { raw, downstream } = await connected();
    await downstream.callTool(call, { meta: { authorization: 'Bearer of-the-caller' } });
    const names = new Set(raw.headers.flatMap((headers) => Object.keys(headers)));
    expect([...names].sort().join(' ')).toBe(
      'accept accept-encoding connection content-length content-type host mcp-method mcp-protocol-version user-agent',
    );
  });
});

requirement('2.6/run-timeout', () => {
  it('fails a server that does not answer within timeout seconds', async () => {
    const began = Date.now();
    const view = await tried(() => true, { timeout: 1 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(900);
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(view).toMatchObject({ state: 'Failed', reason: 'not ready within 1 s' });
  });

  it('waits for a server that answers late but in time', async () => {
    const initialize = async ({ protocolVersion }: { protocolVersion: string }) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      const serverInfo = { name: 'late', version: '1' };
      return { protocolVersion, capabilities: { tools: {} }, serverInfo };
    };
    const { view } = await connected({ methods: { initialize } }, {}, { timeout: 5 });
    expect(view().serverInfo?.name).toBe('late');
  });
});

describe('a remote server that is not there', () => {
  it('is Failed with the reason, and Connected once it appears', async () => {
    const port = await findFreePort();
    const { downstream } = await running([remote(`http://127.0.0.1:${port}/mcp`)]);
    expect(viewOf(downstream, 'raw').state).toBe('Failed');
    expect(viewOf(downstream, 'raw').reason).toContain(`ECONNREFUSED 127.0.0.1:${port}`);
    await startRawHttp({ port });
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it('fails a call once when it disappears during the call, and is reconnected when it is back', async () => {
    const { raw, downstream, view } = await connected({ events: true });
    const hanging = downstream.callTool({ server: 'raw', tool: 'hang' });
    await eventually('the call arrived', () => raw.count('tools/call') > 0);
    await raw.close();
    expect((await hanging).ok).toBe(false);
    const lost = { error: { code: 'server.connection-lost' } };
    expect(await downstream.callTool(call)).toMatchObject(lost);
    await eventually('it is Failed', () => view().state !== 'Connected');
    const back = await startRawHttp({ port: raw.port });
    await untilState(downstream, 'raw', 'Connected');
    expect(back.count('tools/call')).toBe(0);
  });

  it('is detected as lost without a call', async () => {
    const { raw, downstream } = await connected({}, { timeouts: { healthIntervalMs: 50 } });
    await raw.close();
    await untilState(downstream, 'raw', 'Failed');
  });
});

it('a server that answers 404 to the GET for an event stream stays connected', async () => {
  const http = await startRawHttp();
  http.setIntercept((request, response) => {
    response.setHeader('mcp-session-id', 'one');
    return request.method === 'GET' && respond(404)(request, response);
  });
  const { downstream, log } = await running([remote(http.url)]);
  await eventually('the stream was asked for', () =>
    log.some(({ event }) => event === 'server.transport-error'),
  );
  expect(await downstream.callTool(call)).toEqual(fine);
  expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', restartCount: 0 });
});

it.each([
  ['sse', 'sse'],
  ['streamable-http', 'streamableHttp'],
] as const)(
  'a connected server that is killed is Failed by itself over %s, and Connected when it is back',
  async (type, mode) => {
    const port = await findFreePort();
    const first = await startEverything(mode, port);
    onTestFinished(first.kill);
    const timeouts = { healthIntervalMs: 500 };
    const { downstream } = await running([defineServer('live', { type, url: first.url })], {
      timeouts,
    });
    expect(viewOf(downstream, 'live').state).toBe('Connected');
    const args = { duration: 30, steps: 2 };
    const tool = 'trigger-long-running-operation';
    const outcome = downstream.callTool({ server: 'live', tool, arguments: args });
    first.kill();
    expect(await outcome).toMatchObject({ error: { code: 'server.connection-lost' } });
    await untilState(downstream, 'live', 'Failed');
    const second = await startEverything(mode, port);
    onTestFinished(second.kill);
    await untilState(downstream, 'live', 'Connected');
  },
);

it('an SSE server that goes away is Failed and tried again', async () => {
  const { url } = await serve((request, response) => {
    if (request.method !== 'GET') return void response.writeHead(500).end();
    response.writeHead(200, EVENTS).end('event: endpoint\ndata: /messages\n\n');
  });
  const { downstream } = await running([defineServer('sse', { type: 'sse', url, timeout: 2 })]);
  expect(viewOf(downstream, 'sse').state).toBe('Failed');
  await eventually('it is tried again', () => viewOf(downstream, 'sse').restartCount > 1);
});
