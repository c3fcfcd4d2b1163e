import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Downstream, DownstreamOutcome } from '../src/index.ts';
import { eventually, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import type { Intercept, RawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const answering =
  (status: number, isRefused: (request: IncomingMessage) => boolean = () => true): Intercept =>
  (request, response) => {
    if (!isRefused(request)) return false;
    response.writeHead(status).end('no');
    return true;
  };

/** Gives each client without a session a new one. */
const withSessions =
  (): Intercept =>
  ({ headers }, response) => {
    if (headers['mcp-session-id'] === undefined) response.setHeader('mcp-session-id', randomUUID());
    return false;
  };

/** Selects tool calls to a 2026-07-28 server. */
const isCall = ({ headers }: IncomingMessage): boolean => headers['mcp-method'] === 'tools/call';

/** Selects the next POST that is no subscription, which a connection sends at any time. */
const nextPost = (): ((request: IncomingMessage) => boolean) => {
  let rest = 1;
  return ({ method, headers }) =>
    method === 'POST' && headers['mcp-method'] !== 'subscriptions/listen' && (rest -= 1) >= 0;
};

const modern = {
  methods: {
    'server/discover': () => ({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'raw', version: '1.0.0' },
    }),
  },
};

const raw = (url: string, auth: Readonly<Record<string, unknown>> = { type: 'none' }) =>
  defineServer('raw', { type: 'streamable-http', url, auth });

const call = (downstream: Downstream): Promise<DownstreamOutcome> =>
  downstream.callTool({ server: 'raw', tool: 'result', arguments: { result: { fine: 1 } } });

const connected = async (http: RawHttp, timeouts = {}): Promise<Downstream> => {
  const { downstream } = testDownstream({ timeouts });
  downstream.apply([raw(http.url)]);
  await downstream.settled();
  expect(viewOf(downstream, 'raw').state).toBe('Connected');
  return downstream;
};

const resolveAuthRequirement = {
  ok: false,
  error: { code: 'server.auth-required', server: 'raw' },
};

describe('a server without sign-in that answers 401 to an attempt', () => {
  it('is Auth Required and connects by itself when it accepts its credentials again', async () => {
    const http = await startRawHttp();
    http.setIntercept(answering(401));
    const { downstream } = testDownstream();
    downstream.apply([raw(http.url)]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw')).toMatchObject({
      state: 'Auth Required',
      reason: 'the server requires authentication',
      failureCode: 'auth-required',
    });
    http.setIntercept(undefined);
    await untilState(downstream, 'raw', 'Connected');
    expect(await call(downstream)).toMatchObject({ ok: true });
  });

  it('is tried again with the normal backoff', async () => {
    const http = await startRawHttp();
    http.setIntercept(answering(401));
    const { downstream, log } = testDownstream();
    downstream.apply([raw(http.url)]);
    const delays = (): readonly unknown[] =>
      log.flatMap((entry) => ('nextRetryMs' in entry ? [entry.nextRetryMs] : []));
    await eventually('it was tried four times', () => delays().length >= 4);
    const [first, second, third, fourth] = delays().map(Number);
    expect(first).toBeGreaterThanOrEqual(50);
    expect(first).toBeLessThanOrEqual(100);
    expect(second).toBeGreaterThanOrEqual(100);
    expect(third).toBeGreaterThanOrEqual(200);
    expect(fourth).toBeLessThanOrEqual(400);
    expect(viewOf(downstream, 'raw').status.consecutiveFailures).toBeGreaterThanOrEqual(4);
  });
});

describe('a server that answers 401 to one call', () => {
  it.each([
    ['2025-11-25', {}],
    ['2026-07-28', modern],
  ])('of revision %s stays connected', async (protocolVersion, options) => {
    const http = await startRawHttp({ protocolVersion, ...options });
    const downstream = await connected(http);
    const { connectionId } = viewOf(downstream, 'raw');
    http.setIntercept(answering(401, nextPost()));
    expect(await call(downstream)).toEqual(resolveAuthRequirement);
    expect(await call(downstream)).toMatchObject({ ok: true });
    const attempts = (): number =>
      http.mcp.seen.filter(({ method }) => /^(?:initialize|server\/discover)$/.test(method)).length;
    await eventually('another connection was accepted', () => attempts() > 1);
    expect(await call(downstream)).toMatchObject({ ok: true });
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', connectionId });
  });

  it('stays connected when it refuses every call and accepts connections', async () => {
    const http = await startRawHttp(modern);
    const downstream = await connected(http, { healthIntervalMs: 100 });
    const { connectionId } = viewOf(downstream, 'raw');
    http.setIntercept(answering(401, isCall));
    for (let calls = 0; calls < 20; calls += 1) {
      expect(await call(downstream)).toEqual(resolveAuthRequirement);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', connectionId });
  });

  it('is Auth Required when it refuses the next connection attempt too, until it accepts one', async () => {
    const http = await startRawHttp();
    const downstream = await connected(http);
    http.setIntercept(answering(401));
    expect(await call(downstream)).toEqual(resolveAuthRequirement);
    await untilState(downstream, 'raw', 'Auth Required');
    http.setIntercept(undefined);
    await untilState(downstream, 'raw', 'Connected');
    expect(await call(downstream)).toMatchObject({ ok: true });
  });

  it('is connected anew when it refuses only the present session', async () => {
    const http = await startRawHttp({ protocolVersion: '2025-11-25' });
    http.setIntercept(withSessions());
    const downstream = await connected(http);
    const stale = http.headers.at(-1)?.['mcp-session-id'];
    expect(stale).toBeTypeOf('string');
    const isStale = answering(401, ({ headers }) => headers['mcp-session-id'] === stale);
    const sessions = withSessions();
    http.setIntercept((...exchange) => isStale(...exchange) || sessions(...exchange));
    expect(await call(downstream)).toEqual(resolveAuthRequirement);
    await eventually('it answers again', async () => (await call(downstream)).ok);
  });
});

describe('a server that answers 403 to one call', () => {
  it('fails that call and stays connected', async () => {
    const http = await startRawHttp();
    const downstream = await connected(http);
    const { connectionId } = viewOf(downstream, 'raw');
    http.setIntercept(answering(403, nextPost()));
    expect(await call(downstream)).toMatchObject({
      ok: false,
      error: { code: 'server.connection-lost', reason: 'HTTP 403' },
    });
    expect(await call(downstream)).toMatchObject({ ok: true });
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Connected', connectionId });
  });
});
