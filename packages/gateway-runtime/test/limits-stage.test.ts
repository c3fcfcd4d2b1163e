import { ANONYMOUS, type CallContext, createPrincipal } from '@gateway/call-contract';
import { parseMcpServer } from '@gateway/crd-schemas';
import type { CallTime, DownstreamError, DownstreamOutcome } from '@gateway/downstream';
import type { GatewayEvent } from '@gateway/events';
import { describe, expect, it } from 'vitest';
import { limitRequests, ServerLimits } from '../src/calls/limits-stage.ts';

const API_VERSION = 'gateway.internal/v1alpha1';

/** A server whose `spec` has these members. */
const defineServer = (name: string, spec: object = {}) => {
  const parsed = parseMcpServer({
    apiVersion: API_VERSION,
    kind: 'MCPServer',
    metadata: { name },
    spec: { type: 'streamable-http', url: 'https://example.com/mcp', ...spec },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

interface Sent {
  readonly tool: string;
  readonly time: CallTime | undefined;
  readonly end: (outcome?: DownstreamOutcome) => void;
}

const CONTEXT: CallContext = {
  principal: ANONYMOUS,
  sessionId: undefined,
  signal: new AbortController().signal,
};

const OK: DownstreamOutcome = { ok: true, result: {} };

const fail = (error: DownstreamError): DownstreamOutcome => ({ ok: false, error });

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests that end when a test ends them, with a clock that a test advances. */
const start = (spec: object = {}, defaults = { maxRunning: 2, maxQueued: 1 }) => {
  const sent: Sent[] = [];
  const refused: string[] = [];
  const events: GatewayEvent[] = [];
  let now = 1_000;
  const limits = new ServerLimits(defaults, {
    onRefused: ({ server, code }) => refused.push(`${server} ${code}`),
    emit: (event) => events.push(event),
    now: () => now,
  });
  const apply = (changed: object): void => limits.apply([defineServer('s', changed)]);
  apply(spec);
  const stage = limitRequests(limits);
  const send = ({
    tool = '',
    time,
  }: {
    readonly server: string;
    readonly tool?: string;
    readonly time?: CallTime | undefined;
  }): Promise<DownstreamOutcome> =>
    new Promise((resolve) => {
      sent.push({ tool, time, end: (outcome = OK) => resolve(outcome) });
    });
  const call = (tool: string, context: Partial<CallContext> = {}, server = 's') =>
    stage({ server, tool }, { ...CONTEXT, ...context }, send);
  return {
    limits,
    apply,
    sent,
    refused,
    events,
    call,
    wait: (ms: number) => (now += ms),
    tools: () => sent.map(({ tool }) => tool),
    /** Sends a call that ends at once. */
    callEnding: async (outcome: DownstreamOutcome, tool = 't') => {
      const answer = call(tool);
      sent.at(-1)?.end(outcome);
      return answer;
    },
  };
};

describe('a server without limits of its own', () => {
  it('has further requests when earlier ones have ended', async () => {
    const { sent, call, tools } = start({}, { maxRunning: 2, maxQueued: 2 });
    const answers = ['a', 'b', 'c', 'd'].map((tool) => call(tool));
    expect(tools()).toEqual(['a', 'b']);
    sent[1]?.end();
    await turn();
    expect(tools()).toEqual(['a', 'b', 'c']);
    for (const { end } of sent) end();
    await turn();
    sent[3]?.end();
    expect(await Promise.all(answers)).toEqual([OK, OK, OK, OK]);
  });

  it('is limited on its own', () => {
    const { limits, call, tools } = start({}, { maxRunning: 1, maxQueued: 1 });
    limits.apply([defineServer('s'), defineServer('other')]);
    void call('a');
    void call('b');
    void call('c', {}, 'other');
    expect(tools()).toEqual(['a', 'c']);
  });

  it('refuses a request over the limits of the gateway', async () => {
    const { refused, call } = start();
    for (const tool of ['a', 'b', 'c']) void call(tool);
    expect([await call('d'), refused]).toEqual([
      fail({ code: 'server.busy', server: 's', running: 2, waiting: 1 }),
      ['s server.busy'],
    ]);
  });

  it('serves the callers in turn, however much one of them sends', async () => {
    const { sent, call, tools } = start({}, { maxRunning: 1, maxQueued: 10 });
    void call('first');
    for (const tool of ['a1', 'a2', 'a3']) void call(tool, { callerKey: 'a' });
    for (const tool of ['b1', 'b2']) void call(tool, { callerKey: 'b' });
    for (let ended = 0; ended < 5; ended += 1) {
      sent[ended]?.end();
      await turn();
    }
    expect(tools()).toEqual(['first', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('forgets a cancelled request that waits', async () => {
    const { limits, sent, call, tools } = start({}, { maxRunning: 1, maxQueued: 1 });
    void call('a');
    const cancelled = new AbortController();
    const waiting = call('b', { signal: cancelled.signal });
    expect(limits.findLoad('s')).toMatchObject({ running: 1, waiting: 1 });
    cancelled.abort();
    expect(await waiting).toEqual(fail({ code: 'request.cancelled', server: 's' }));
    expect(limits.findLoad('s')).toMatchObject({ running: 1, waiting: 0 });
    void call('c');
    sent[0]?.end();
    await turn();
    expect(tools()).toEqual(['a', 'c']);
  });

  it('does not queue a request that is cancelled already', async () => {
    const { limits, call } = start({}, { maxRunning: 1, maxQueued: 1 });
    void call('a');
    expect(await call('b', { signal: AbortSignal.abort() })).toMatchObject({ ok: false });
    expect(limits.findLoad('s')).toMatchObject({ waiting: 0 });
  });

  it('is not limited when it does not exist: the connections answer the request', () => {
    const { limits, call, tools } = start();
    limits.apply([]);
    for (const tool of ['a', 'b', 'c', 'd']) void call(tool);
    expect([tools(), limits.findLoad('s')]).toEqual([['a', 'b', 'c', 'd'], undefined]);
  });
});

describe('the concurrency', () => {
  it('of a server is in place of that of the gateway', async () => {
    const { call, tools } = start({ limits: { concurrency: 3, queue: 0 } });
    for (const tool of ['a', 'b', 'c']) void call(tool);
    expect(tools()).toEqual(['a', 'b', 'c']);
    expect(await call('d')).toEqual(
      fail({ code: 'server.busy', server: 's', running: 3, waiting: 0 }),
    );
  });

  it('of a tool leaves the slots of its server to other tools', async () => {
    const tools = [{ name: 'slow', limits: { concurrency: 1, queue: 1 } }];
    const { call, sent, tools: sentTools } = start({ tools }, { maxRunning: 2, maxQueued: 9 });
    void call('slow');
    const second = call('slow');
    void call('quick');
    expect(sentTools()).toEqual(['slow', 'quick']);
    expect(await call('slow')).toEqual(
      fail({ code: 'server.busy', server: 's', tool: 'slow', running: 1, waiting: 1 }),
    );
    sent[0]?.end();
    await turn();
    sent[2]?.end();
    expect([await second, sentTools()]).toEqual([OK, ['slow', 'quick', 'slow']]);
  });

  it('of a pattern is that of each tool that it matches', () => {
    const tools = [{ pattern: 'get_*', limits: { concurrency: 1 } }];
    const { call, tools: sent } = start({ tools }, { maxRunning: 9, maxQueued: 9 });
    for (const tool of ['get_a', 'get_a', 'get_b', 'list', 'list']) void call(tool);
    expect(sent()).toEqual(['get_a', 'get_b', 'list', 'list']);
  });

  it('of a name wins over that of a pattern', () => {
    const tools = [
      { name: '__proto__', limits: { concurrency: 2 } },
      { pattern: '*', limits: { concurrency: 1 } },
    ];
    const { call, tools: sent } = start({ tools }, { maxRunning: 9, maxQueued: 9 });
    for (const tool of ['__proto__', '__proto__', '__proto__', 'a', 'a']) void call(tool);
    expect(sent()).toEqual(['__proto__', '__proto__', 'a']);
  });

  it('that is raised starts what waits, and that is lowered lets the rest end', async () => {
    const { apply, call, sent, tools } = start({ limits: { concurrency: 1, queue: 9 } });
    for (const tool of ['a', 'b', 'c', 'd']) void call(tool);
    apply({ limits: { concurrency: 3, queue: 9 } });
    expect(tools()).toEqual(['a', 'b', 'c']);
    apply({ limits: { concurrency: 1, queue: 9 } });
    sent[0]?.end();
    sent[1]?.end();
    await turn();
    expect(tools()).toEqual(['a', 'b', 'c']);
    sent[2]?.end();
    await turn();
    expect(tools()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of a tool that is removed leaves no slot of its server behind', async () => {
    const tools = [{ name: 'slow', limits: { concurrency: 1 } }];
    const { apply, limits, call, sent } = start({ tools }, { maxRunning: 2, maxQueued: 9 });
    void call('slow');
    void call('slow');
    apply({});
    sent[0]?.end();
    await turn();
    sent[1]?.end();
    await turn();
    expect(limits.findLoad('s')).toEqual({ running: 0, waiting: 0, refused: 0, tools: [] });
  });
});

describe('the rate', () => {
  const ada = { principal: createPrincipal({ issuer: 'https://i.test', subject: 'ada' }) };
  const bob = { principal: createPrincipal({ issuer: 'https://i.test', subject: 'bob' }) };

  it('of a user refuses the calls of that user, with the time of the next one', async () => {
    const { call, wait, sent } = start({ limits: { rate: { perUser: 2, seconds: 10 } } });
    void call('t', ada);
    wait(4_000);
    void call('t', ada);
    expect(await call('t', ada)).toEqual(
      fail({
        code: 'server.rate-limited',
        server: 's',
        calls: 2,
        windowMs: 10_000,
        isPerUser: true,
        waitMs: 6_000,
      }),
    );
    for (const { end } of sent) end();
    await turn();
    void call('t', bob);
    wait(6_000);
    void call('t', ada);
    expect(sent).toHaveLength(4);
  });

  it('of all users counts the calls of each, by default in a minute', async () => {
    const { call, sent, refused } = start({ limits: { rate: { total: 2 } } });
    void call('t', ada);
    void call('t', bob);
    expect(await call('t', ada)).toMatchObject({
      error: { calls: 2, windowMs: 60_000, isPerUser: false },
    });
    expect([sent.length, refused]).toEqual([2, ['s server.rate-limited']]);
  });

  it('of a tool applies together with that of its server, and a refused call counts for neither', async () => {
    const tools = [{ name: 'slow', limits: { rate: { total: 1, seconds: 10 } } }];
    const limits = { rate: { total: 2, seconds: 60 } };
    const { call, wait, callEnding } = start({ limits, tools });
    await callEnding(OK, 'slow');
    expect(await call('slow')).toMatchObject({ error: { tool: 'slow', calls: 1 } });
    wait(10_000);
    await callEnding(OK, 'slow');
    const refusal = await call('quick');
    expect(refusal).toMatchObject({ error: { calls: 2, waitMs: 50_000 } });
    expect(refusal).not.toHaveProperty('error.tool');
  });
});

describe('the time of a call', () => {
  it('is that of the gateway without limits', () => {
    const { call, sent } = start();
    void call('t');
    expect(sent[0]?.time).toBeUndefined();
  });

  it('is that of the server, or that of the tool in its place', () => {
    const tools = [{ name: 'report', limits: { callTimeout: 600 } }];
    const { call, sent } = start({ limits: { callTimeout: 20, maxCallTimeout: 60 }, tools });
    void call('t');
    void call('report');
    expect(sent.map(({ time }) => time)).toEqual([
      { timeoutMs: 20_000, maxTimeoutMs: 60_000 },
      { timeoutMs: 600_000, maxTimeoutMs: undefined },
    ]);
  });
});

const TIMEOUT = fail({ code: 'request.timeout', server: 's', timeoutMs: 1 });
const LOST = fail({ code: 'server.connection-lost', server: 's', reason: 'gone' });

describe('the breaker', () => {
  const limits = { breaker: { failures: 2, openSeconds: 30 } };

  it('answers at once after failures in a row, and reports it', async () => {
    const { call, callEnding, events, sent } = start({ limits });
    await callEnding(TIMEOUT);
    await callEnding(LOST);
    expect(await call('t')).toEqual(
      fail({ code: 'server.breaker-open', server: 's', waitMs: 30_000 }),
    );
    expect(sent).toHaveLength(2);
    expect(events).toEqual([
      { reason: 'MCPServerBreakerOpened', name: 's', failures: 2, seconds: 30 },
    ]);
  });

  it('sends one call after its time, and closes when that is answered', async () => {
    const { call, callEnding, events, sent, wait } = start({ limits });
    await callEnding(TIMEOUT);
    await callEnding(TIMEOUT);
    wait(30_000);
    const trial = call('t');
    expect(await call('t')).toEqual(fail({ code: 'server.breaker-open', server: 's' }));
    sent.at(-1)?.end({ ok: true, result: { isError: true } });
    await trial;
    expect(await callEnding(OK)).toEqual(OK);
    expect(events.at(-1)).toEqual({ reason: 'MCPServerBreakerClosed', name: 's' });
  });

  it.each<[string, DownstreamOutcome]>([
    ['results of tools that failed', { ok: true, result: { isError: true } }],
    [
      'refusals of the server',
      fail({ code: 'request.refused', server: 's', rpcCode: -32602, message: 'no' }),
    ],
    ['cancellations', fail({ code: 'request.cancelled', server: 's' })],
    ['sign-ins that are missing', fail({ code: 'server.auth-required', server: 's' })],
  ])('does not count %s', async (_what, outcome) => {
    const { callEnding, limits: all } = start({ limits });
    for (let ended = 0; ended < 3; ended += 1) await callEnding(outcome);
    expect(all.findLoad('s')).toMatchObject({ breaker: { state: 'closed' } });
  });

  it('of a tool leaves the other tools alone', async () => {
    const tools = [{ pattern: 'flaky_*', limits }];
    const { call, callEnding, events, limits: all } = start({ tools });
    await callEnding(TIMEOUT, 'flaky_a');
    await callEnding(TIMEOUT, 'flaky_a');
    expect(await call('flaky_a')).toMatchObject({
      error: { code: 'server.breaker-open', tool: 'flaky_a' },
    });
    expect(await callEnding(OK, 'flaky_b')).toEqual(OK);
    expect(events).toMatchObject([{ reason: 'MCPServerBreakerOpened', tool: 'flaky_a' }]);
    expect([...all.loads()]).toEqual([['s', { queued: 0, openBreakers: 1 }]]);
  });

  it('ends the calls that wait when it opens', async () => {
    const { call, sent, limits: all } = start({ limits: { ...limits, concurrency: 2, queue: 9 } });
    const answers = ['a', 'b', 'c', 'd', 'e'].map((tool) => call(tool));
    sent[0]?.end(TIMEOUT);
    sent[1]?.end(TIMEOUT);
    expect(await answers[4]).toMatchObject({ error: { code: 'server.breaker-open' } });
    sent[2]?.end();
    await Promise.all(answers);
    expect(all.findLoad('s')).toMatchObject({ running: 0, waiting: 0 });
  });

  it('stays open when the definition changes, and ends with its limit', async () => {
    const { apply, callEnding } = start({ limits });
    await callEnding(TIMEOUT);
    await callEnding(TIMEOUT);
    apply({ limits: { ...limits, concurrency: 7 } });
    expect(await callEnding(OK)).toMatchObject({ error: { code: 'server.breaker-open' } });
    apply({});
    expect(await callEnding(OK)).toEqual(OK);
  });
});

it('the load of a server is what runs, waits and was refused, with its tools and breakers', async () => {
  const limits = { concurrency: 1, queue: 1, breaker: { failures: 1, openSeconds: 30 } };
  const tools = [{ name: 'slow', limits }];
  const { limits: all, call, callEnding } = start({ tools }, { maxRunning: 9, maxQueued: 9 });
  void call('quick');
  await callEnding(TIMEOUT, 'slow');
  await call('slow');
  expect(all.findLoad('s')).toEqual({
    running: 1,
    waiting: 0,
    refused: 0,
    tools: [
      {
        tool: 'slow',
        running: 0,
        waiting: 0,
        refused: 1,
        breaker: {
          state: 'open',
          nextAttemptAt: expect.closeTo(Date.now() + 30_000, -4) as number,
        },
      },
    ],
  });
});
