import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { eventually, failed, running, untilState, viewOf } from './harness/downstream.ts';
import { call, connected, fine, remote } from './harness/http-connection.ts';
import { MODERN } from './harness/modern.ts';
import { respond, startRawHttp } from './harness/raw-http.ts';
import type { Intercept } from './harness/raw-http.ts';

const answering =
  (status: number, isRefused: (request: IncomingMessage) => boolean): Intercept =>
  (request, response) =>
    isRefused(request) && respond(status, 'no')(request, response);

/** Gives each client without a session a new one. */
const withSessions: Intercept = ({ headers }, response) => {
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

const refusal = failed('server.auth-required');

describe('a server without sign-in that answers 401 to an attempt', () => {
  it('is Auth Required and connects by itself when it accepts its credentials again', async () => {
    const http = await startRawHttp();
    http.setIntercept(respond(401));
    const { downstream } = await running([remote(http.url)]);
    const reason = 'the server requires authentication';
    const view = { state: 'Auth Required', reason, failureCode: 'auth-required' };
    expect(viewOf(downstream, 'raw')).toMatchObject(view);
    http.setIntercept(undefined);
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it('is tried again with the normal backoff', async () => {
    const http = await startRawHttp();
    http.setIntercept(respond(401));
    const { downstream, log } = await running([remote(http.url)]);
    const delays = (): readonly number[] =>
      log.flatMap((entry) => ('nextRetryMs' in entry ? [entry.nextRetryMs] : []));
    await eventually('it was tried four times', () => delays().length >= 4);
    const [first, second, third, fourth] = delays();
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
    ['2026-07-28', MODERN],
  ])('of revision %s stays connected', async (protocolVersion, options) => {
    const { raw, downstream, view } = await connected({ protocolVersion, ...options });
    const { connectionId } = view();
    raw.setIntercept(answering(401, nextPost()));
    expect(await downstream.callTool(call)).toEqual(refusal);
    expect(await downstream.callTool(call)).toEqual(fine);
    const attempts = (): number => raw.count('initialize') + raw.count('server/discover');
    await eventually('another connection was accepted', () => attempts() > 1);
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(view()).toMatchObject({ state: 'Connected', connectionId });
  });

  it('stays connected when it refuses every call and accepts connections', async () => {
    const timeouts = { healthIntervalMs: 100 };
    const { raw, downstream, view } = await connected(MODERN, { timeouts });
    const { connectionId } = view();
    raw.setIntercept(answering(401, isCall));
    for (let calls = 0; calls < 20; calls += 1) {
      expect(await downstream.callTool(call)).toEqual(refusal);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(view()).toMatchObject({ state: 'Connected', connectionId });
  });

  it('is Auth Required when it refuses the next connection attempt too, until it accepts one', async () => {
    const { raw, downstream } = await connected();
    raw.setIntercept(respond(401));
    expect(await downstream.callTool(call)).toEqual(refusal);
    await untilState(downstream, 'raw', 'Auth Required');
    raw.setIntercept(undefined);
    await untilState(downstream, 'raw', 'Connected');
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it('is connected anew when it refuses only the present session', async () => {
    const http = await startRawHttp({ protocolVersion: '2025-11-25' });
    http.setIntercept(withSessions);
    const { downstream } = await running([remote(http.url)]);
    const stale = http.headers.at(-1)?.['mcp-session-id'];
    expect(stale).toBeTypeOf('string');
    const isStale = answering(401, ({ headers }) => headers['mcp-session-id'] === stale);
    http.setIntercept((...exchange) => isStale(...exchange) || withSessions(...exchange));
    expect(await downstream.callTool(call)).toEqual(refusal);
    await eventually('it answers again', async () => (await downstream.callTool(call)).ok);
  });
});

it('a server that answers 403 to one call fails that call and stays connected', async () => {
  const { raw, downstream, view } = await connected();
  const { connectionId } = view();
  raw.setIntercept(answering(403, nextPost()));
  const lost = failed('server.connection-lost', { reason: 'HTTP 403' });
  expect(await downstream.callTool(call)).toEqual(lost);
  expect(await downstream.callTool(call)).toEqual(fine);
  expect(view()).toMatchObject({ state: 'Connected', connectionId });
});
