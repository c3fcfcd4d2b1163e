import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PeerBus } from '../src/wire/peers.ts';
import { SessionTerminator } from '../src/sessions/shared-sessions.ts';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { SessionStore } from '../src/sessions/session-store.ts';
import { start, startTwo, type EndpointOptions, type InteractiveEndpoint } from './endpoint.ts';
import { memoryBus } from './peer-bus.ts';
import { call, eventsOf, pause, readAnswer, readText, rpc, tell, until } from './wire-client.ts';

const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const ADA = { action: 'accept', content: { name: 'Ada' } };
const OVER = 'The call of this requestState is over or has expired; start it again';

const sessionOf = (endpoint: InteractiveEndpoint) =>
  endpoint.startSession({ capabilities: { elicitation: {} } });

describe('a session served by several processes', () => {
  it('accepts the answer to a question in any process, and only from the session that was asked', async () => {
    const { one, two } = await startTwo();
    const headers = await sessionOf(one);
    const reader = await one.readEvents(headers, call('ask', { questions: [ELICITATION] }));
    const [{ id }] = await reader.atLeast(1);
    expect(id).toMatch(/^one:/);
    const response = { jsonrpc: '2.0', id, result: ADA };
    expect((await two.post(response, await sessionOf(two))).status).toBe(202);
    await pause(20);
    expect(reader.messages()).toHaveLength(1);
    expect((await two.post(response, headers)).status).toBe(202);
    await reader.ended();
    expect(readText(reader.messages()[1].result)).toEqual([{ ok: true, result: ADA }]);
  });

  it('is cancelled, ended and unsubscribed everywhere', async () => {
    const { one, two, join } = await startTwo();
    const three = await join('three');
    const headers = await sessionOf(one);
    const running = one.post(call('wait'), headers);
    await one.untilWaiting(1);
    await two.post(tell('notifications/cancelled', { requestId: 1, reason: 'enough' }), headers);
    await running;
    expect(one.interactive.aborted).toEqual(['enough']);
    await one.post(rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    await three.post(rpc('resources/unsubscribe', { uri: 'file:///a' }), headers);
    await until(() => one.interactive.followed().length === 0);
    await two.send({ method: 'DELETE', headers });
    await pause(20);
    for (const { post } of [one, two, three])
      expect((await post(rpc('ping'), headers)).status).toBe(404);
  });

  it('has one level of log messages, and receives updates on its stream, in any process', async () => {
    const { one, two } = await startTwo();
    const headers = await sessionOf(one);
    await one.post(rpc('logging/setLevel', { level: 'error' }), headers);
    await until(() => two.stats().sessions === 1);
    const answer = await two.post(call('log', { levels: ['info'] }), headers);
    expect(readAnswer(answer)).toBe('error');
    await one.post(rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    const reader = await two.readEvents(headers);
    await reader.opened();
    one.interactive.update('file:///a');
    expect(await reader.atLeast(1)).toMatchObject([{ params: { uri: 'file:///a' } }]);
  });

  it('stays while it is used anywhere, and ends everywhere when it is not', async () => {
    const { one, two } = await startTwo({ limits: { sessionIdleMs: 400 } });
    const headers = await sessionOf(one);
    const reader = await two.readEvents(headers);
    await until(() => two.stats().sessions === 1 && one.stats().sessions === 0);
    const statuses = async (): Promise<number[]> => [
      (await one.post(rpc('ping'), headers)).status,
      (await two.post(rpc('ping'), headers)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await reader.cut();
    await until(() => one.stats().sessions + two.stats().sessions === 0);
    // The end is told to the others in the next turn of the event loop, which a request may overtake.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await statuses()).toEqual([404, 404]);
  });
});

it('ends no session while no peer can be asked about its use', async () => {
  const clock = { now: 0 };
  const limits = { ...DEFAULT_MCP_HTTP_LIMITS, maxSessions: 10_001, sessionIdleMs: 1 };
  const sessions = new SessionStore(limits, () => clock.now, { key: Buffer.alloc(32) });
  const bus = new PeerBus(memoryBus().join('one'));
  const ends = new SessionTerminator({ sessions, shared: undefined, bus, limits });
  for (let count = 0; count < 10_001; count += 1) sessions.create('2025-11-25');
  clock.now = 1;
  ends.sweep();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sessions.size).toBe(10_001);
  bus.close();
});

/**
 * Makes timers depend on the test instead of the speed of the machine. Returns a function that lets time pass, in steps between which the
 * processes exchange their messages.
 */
const controlTime = (): ((ms: number) => Promise<void>) => {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
  vi.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return async (ms) => {
    for (let passed = 0; passed < ms; passed += 50) {
      vi.advanceTimersByTime(50);
      for (let turns = 0; turns < 5; turns += 1)
        await new Promise((resolve) => setImmediate(resolve));
    }
  };
};

describe('a stream that is resumed at another process', () => {
  const resume = async (options: EndpointOptions = {}) => {
    const { one, two, bus } = await startTwo(options);
    const session = await sessionOf(one);
    const opening = one.readEvents(session, call('wait', {}, { progressToken: 't' }));
    await one.untilWaiting(1);
    one.report(1);
    const reader = await opening;
    await reader.atLeast(1);
    const headers = { ...session, ...(await reader.cut()) };
    one.report(2);
    const again = await two.readEvents(headers);
    await again.atLeast(1);
    return { one, two, bus, headers, again };
  };

  it('resumes from the process that owns it', async () => {
    const { one, again } = await resume();
    one.report(3);
    one.interactive.release();
    await again.ended();
    const seen = again.messages().map(({ params, result }) => params?.progress ?? typeof result);
    expect(seen).toEqual([2, 3, 'object']);
    expect(again.events.map(({ id }) => id?.split('.')[0])).toEqual(['one', 'one', 'one']);
  });

  it.each(['its client disconnects', 'the process of its client dies'])(
    'is lost again when %s, and its call is cancelled in time',
    async (when) => {
      const pass = controlTime();
      const { one, bus, again } = await resume();
      await pass(31_000);
      expect(one.interactive.aborted).toEqual([]);
      if (when === 'its client disconnects') await again.cut();
      else bus.dead.add('two');
      while (one.interactive.aborted.length === 0) await pass(1_000);
      expect(one.stats().inFlight).toBe(0);
    },
  );

  it('is closed when that process dies, and then refused', async () => {
    const { two, bus, headers, again } = await resume({ limits: { peerTimeoutMs: 60 } });
    bus.dead.add('one');
    await again.ended();
    const { status, json } = await two.send({ method: 'GET', headers });
    const message = 'Last-Event-ID names nothing that can be resumed; start again without it';
    expect([status, json.error.message]).toEqual([400, message]);
  });
});

describe('the retry of a suspended call at another process', () => {
  const inputResponses = { q1: ADA };
  const clientCapabilities = { elicitation: {} };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': clientCapabilities };
  const tryCall = (endpoint: InteractiveEndpoint, params: object = {}, signal?: AbortSignal) => {
    const asked = { name: 'ask', arguments: { questions: [ELICITATION] }, ...params };
    const meta = { _meta: { ..._meta, progressToken: 'p' } };
    const sent = signal === undefined ? {} : { signal };
    return endpoint.postModern('tools/call', { ...asked, ...meta }, sent);
  };
  const suspend = async (endpoint: InteractiveEndpoint, params: object = {}): Promise<string> =>
    (await tryCall(endpoint, params)).json.result.requestState as string;

  it('resumes in the process that runs the call, and its messages are relayed back', async () => {
    const { one, two } = await startTwo();
    const odd = await tryCall(two, { requestState: await suspend(one), inputResponses: {} });
    expect(odd.json.result.inputRequests).toEqual({ q1: ELICITATION });
    const { requestState } = odd.json.result;
    expect(eventsOf((await tryCall(two, { requestState, inputResponses })).text)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p' } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
    expect(one.stats().inFlight + two.stats().inFlight).toBe(0);
  });

  it('is answered with an error when that process is dead, without peers, and beyond the limit', async () => {
    const { one, two, bus } = await startTwo({ limits: { peerTimeoutMs: 30 } });
    const requestState = await suspend(one);
    const alone = await start({ sessionKey: Buffer.alloc(32, 3) });
    bus.dead.add('one');
    const error = { code: -32602, message: OVER };
    for (const endpoint of [two, alone])
      expect((await tryCall(endpoint, { requestState, inputResponses })).json.error).toEqual(error);
    const none = await startTwo({ limits: { maxRelays: 0 } });
    const retry = { requestState: await suspend(none.one), inputResponses };
    expect((await tryCall(none.two, retry)).json.error).toEqual(error);
  });

  it('is cancelled when its client goes', async () => {
    const { one, two } = await startTwo();
    const held = { name: 'ask-and-wait' };
    const requestState = await suspend(one, held);
    const abort = new AbortController();
    const retry = tryCall(two, { ...held, requestState, inputResponses }, abort.signal);
    await one.untilWaiting(1);
    abort.abort();
    await expect(retry).rejects.toThrow();
    await until(() => one.interactive.aborted.length === 1);
    expect(one.interactive.aborted).toEqual(['The caller has disconnected']);
    expect(one.stats().inFlight).toBe(0);
  });
});

it('a process ignores malformed messages', async () => {
  const bus = memoryBus();
  const endpoint = await start({ peers: bus.join('one') });
  const stranger = bus.join('two');
  stranger.send({});
  const messages: readonly (readonly [string, object])[] = [
    ['__proto__', {}],
    ['relay-open', { relay: 7 }],
    ['relay-open', { relay: 'r', purpose: 'retry', body: {} }],
    ['relay-open', { relay: 'r', purpose: 'nothing', body: {} }],
    ['relay-end', { relay: 'constructor' }],
    ['answered', { session: 'x', message: { id: '__proto__' } }],
    ['notified', { session: 'x', message: 7 }],
    ['session-ended', { session: null }],
    ['session-level', { session: '__proto__', level: 'debug' }],
    ['stream-message', {}],
  ];
  for (const [mcpHttp, body] of messages) stranger.send({ mcpHttp, from: 'two', body });
  await pause(20);
  expect((await endpoint.post(rpc('ping'))).status).toBe(200);
  expect(endpoint.errors).toEqual([]);
});
