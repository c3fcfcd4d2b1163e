import { describe, expect, it, vi } from 'vitest';
import type { DownstreamOptions } from '../src/index.ts';
import {
  eventually,
  failed,
  resultOf,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { call, connected, fine } from './harness/http-connection.ts';
import { respond } from './harness/raw-http.ts';
import { stdioFixture } from './harness/servers.ts';

const QUICK = { timeoutMs: 100, slowMs: 5_000, failures: 3, successes: 2, replaceAfter: 1_000 };

/** A connected server with continuous health checks, which answers as the test defines. */
const watched = async (health: Partial<typeof QUICK> = {}) => {
  let answer: () => unknown = () => ({});
  let looks = 0;
  const ping = () => {
    looks += 1;
    return answer();
  };
  const options: Partial<DownstreamOptions> = {
    health: { ...QUICK, ...health },
    timeouts: { healthIntervalMs: 10 },
  };
  const { downstream, view, events } = await connected({ methods: { ping } }, options);
  return {
    downstream,
    view,
    answers: (next: () => unknown) => {
      answer = next;
    },
    /** Waits for this number of further checks. */
    looked: async (count: number) => {
      const until = looks + count;
      await eventually(`${count} looks`, () => looks >= until);
    },
    untilHealth: (level: string) => eventually(`it is ${level}`, () => view().health === level),
    told: () =>
      events
        .slice(3)
        .map((event) => [event.reason.slice(9), ...('error' in event ? [event.error] : [])]),
  };
};

const never = () => new Promise(() => undefined);
const late = (ms: number) => () => new Promise((resolve) => setTimeout(() => resolve({}), ms));

describe('a server that stops answering health checks', () => {
  it('is unhealthy after three, stays connected and serves, and is well after two answers', async () => {
    const { downstream, view, answers, untilHealth, told } = await watched();
    const { connectionId } = view();
    expect(view().health).toBe('healthy');
    answers(never);
    await untilHealth('unhealthy');
    expect(view()).toMatchObject({ state: 'Connected', connectionId });
    expect(view().status.conditions[0]).toMatchObject({ status: 'False', reason: 'Unhealthy' });
    expect(await downstream.callTool(call)).toEqual(fine);
    answers(() => ({}));
    await untilHealth('healthy');
    expect(view()).toMatchObject({ state: 'Connected', connectionId });
    expect(view().status.conditions[0]).toMatchObject({ status: 'True', reason: 'Connected' });
    expect(told()).toEqual([
      ['HealthCheckFailed', 'no answer within 0.1 s'],
      ['HealthCheckSucceeded'],
    ]);
  });

  it('is reconnected when it stays unresponsive', async () => {
    const { view, answers, untilHealth, told } = await watched({ replaceAfter: 5 });
    const { connectionId: life = 0 } = view();
    answers(never);
    await untilHealth('unhealthy');
    await eventually('it is another connection', () => (view().connectionId ?? 0) > life);
    answers(() => ({}));
    await untilHealth('healthy');
    const error = 'health checks fail: no answer within 0.1 s';
    expect(told().slice(0, 7)).toEqual([
      ['HealthCheckFailed', 'no answer within 0.1 s'],
      ['Failed', error],
      ['ToolsUnavailable', error],
      ['RecoveryStarted'],
      ['RecoverySucceeded'],
      ['HealthCheckSucceeded'],
      ['ToolsDiscovered'],
    ]);
  });

  it('is left alone while it is at work on a call', async () => {
    const { downstream, view, answers, looked } = await watched({ replaceAfter: 2 });
    const { connectionId: before } = view();
    const end = new AbortController();
    const working = downstream.callTool({ server: 'raw', tool: 'hang' }, { signal: end.signal });
    answers(never);
    await looked(8);
    expect(view()).toMatchObject({ state: 'Connected', health: 'unhealthy', connectionId: before });
    end.abort();
    expect((await working).ok).toBe(false);
    await eventually('it is connected anew', () => view().connectionId !== before);
  });
});

describe('a server that answers health checks', () => {
  it('late, is unhealthy and never replaced', async () => {
    const slow = { timeoutMs: 10_000, slowMs: 20, replaceAfter: 2 };
    const { view, answers, looked, untilHealth } = await watched(slow);
    const { connectionId } = view();
    answers(late(25));
    await untilHealth('unhealthy');
    await looked(4);
    expect(view()).toMatchObject({ state: 'Connected', health: 'unhealthy', connectionId });
  });

  it.each([
    ['another error, and lists its tools,', -32_603],
    ['an error that says that it has no pings,', -32_601],
  ])('with %s is healthy', async (_what, code) => {
    const { view, answers, looked } = await watched({ timeoutMs: 10_000 });
    answers(() => {
      throw Object.assign(new Error('no pings'), { code });
    });
    await looked(5);
    expect(view().health).toBe('healthy');
  });
});

it('checks stdio servers, too', async () => {
  const { downstream } = testDownstream({ timeouts: { healthIntervalMs: 10 } });
  downstream.apply([stdioFixture('raw', 'raw-stdio.mjs')]);
  await untilState(downstream, 'raw', 'Running');
  await eventually('it was asked', async () => {
    const { seen } = resultOf(await downstream.callTool({ server: 'raw', tool: 'seen' }));
    return (seen as { method: string }[]).some(({ method }) => method === 'ping');
  });
  expect(viewOf(downstream, 'raw').health).toBe('healthy');
});

it('does not replace a stdio server that answers pings while its requests wait', async () => {
  const { downstream } = testDownstream({
    health: { ...QUICK, timeoutMs: 500, replaceAfter: 3 },
    timeouts: { healthIntervalMs: 10, requestMs: 500 },
  });
  downstream.apply([stdioFixture('busy', 'stateful-stdio.mjs')]);
  await untilState(downstream, 'busy', 'Running');
  const callBusy = (tool: string) => downstream.callTool({ server: 'busy', tool });
  const pid = () =>
    vi.waitFor(async () => resultOf(await callBusy('pid')), { timeout: 60_000, interval: 10 });
  const before = await pid();
  await callBusy('block');
  for (let round = 0; round < 3; round += 1)
    expect(await callBusy('pid')).toMatchObject({ ok: false });
  const view = () => viewOf(downstream, 'busy');
  await eventually('it is unhealthy', () => view().health === 'unhealthy');
  expect(view().state).toBe('Running');
  expect(await pid()).toEqual(before);
  await eventually('it is healthy', () => view().health === 'healthy');
});

describe('a server that answers every request with an error', () => {
  const options = { health: QUICK, timeouts: { healthIntervalMs: 20 } };
  const RPC_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"out of order"}}';

  it.each([
    ['HTTP 400', 400, 'nope', 'HTTP 400'],
    ['HTTP 404', 404, '', 'HTTP 404'],
    ['HTTP 200 that is no MCP', 200, '<html></html>', 'Unexpected content type: none'],
    ['a JSON-RPC error', 400, RPC_ERROR, 'out of order (code -32603)'],
  ])('is unhealthy, with the reason: %s', async (_how, status, body, reason) => {
    const { raw, downstream, view } = await connected({}, options);
    raw.setIntercept(respond(status, body));
    await eventually('it is unhealthy', () => view().health === 'unhealthy');
    const condition = { status: 'False', reason: 'Unhealthy', message: reason };
    expect(view().status.conditions[0]).toMatchObject(condition);
    expect(view().reason).toBe(reason);
    raw.setIntercept(undefined);
    await eventually('it is healthy', () => view().health === 'healthy');
    expect(view().reason).toBeUndefined();
    expect(await downstream.callTool(call)).toEqual(fine);
  });

  it('or not at all, except pings, is unhealthy after the requests of its callers', async () => {
    const timeouts = { healthIntervalMs: 20, requestMs: 50 };
    const { raw, downstream, view } = await connected({}, { ...options, timeouts });
    raw.onPost(({ id, method }) => id !== undefined && method !== 'ping');
    for (let round = 0; round < 3; round += 1)
      expect(await downstream.callTool(call)).toMatchObject({ ok: false });
    await eventually('it is unhealthy', () => view().health === 'unhealthy');
    raw.setIntercept(undefined);
    expect(await downstream.callTool(call)).toMatchObject({ ok: true });
    await eventually('it is healthy', () => view().health === 'healthy');
  });

  it('to a list, and never another, is healthy and keeps its session', async () => {
    const list = () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- a JSON-RPC error is no Error
      throw { code: -32_603, message: 'the disk is gone' };
    };
    const { raw, view } = await connected(
      { capabilities: { tools: {}, prompts: {} }, methods: { 'tools/list': list } },
      { ...options, backoff: { firstMs: 10, maxMs: 10 }, relist: { minIntervalMs: 1 } },
    );
    raw.setIntercept((_request, response) => {
      response.setHeader('mcp-session-id', 'one');
      return false;
    });
    await eventually('it was listed again', () => raw.count('tools/list') > 8);
    expect(view()).toMatchObject({ state: 'Connected', health: 'healthy' });
    expect(raw.count('initialize')).toBe(1);
  });

  it('except pings is unhealthy after the requests of its callers', async () => {
    const { raw, downstream, view } = await connected({}, options);
    raw.onPost(({ method }, response, request) => {
      const isAnswered = method === 'ping' || method === 'notifications/cancelled';
      return !isAnswered && respond(400, 'nope')(request, response);
    });
    const lost = failed('server.connection-lost', { reason: 'HTTP 400' });
    for (let round = 0; round < 3; round += 1)
      expect(await downstream.callTool(call)).toEqual(lost);
    await eventually('it is unhealthy', () => view().health === 'unhealthy');
  });
});
