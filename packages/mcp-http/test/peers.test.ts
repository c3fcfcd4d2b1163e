import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PeerBus } from '../src/wire/peers.ts';
import { SessionTerminator } from '../src/sessions/shared-sessions.ts';
import { type McpHttpLimits, DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { SessionStore } from '../src/sessions/session-store.ts';
import { readEvents } from './event-reader.ts';
import { memoryBus } from './peer-bus.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { call, eventsOf, post, postModern, rpc, send, until, type Answer } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const REVISION = { 'mcp-protocol-version': '2025-11-25' };
const ELICITATION = { method: 'elicitation/create', params: { message: 'Your name?' } };
const ADA = { action: 'accept', content: { name: 'Ada' } };

/** Three processes with one service each, joined by a bus. */
const startThree = async (limits: Partial<McpHttpLimits> = {}) => {
  const bus = memoryBus();
  const sessionKey = Buffer.alloc(32, 3);
  const endpoint = (id: string): Promise<InteractiveEndpoint> =>
    start({ sessionKey, peers: bus.join(id), limits: { peerTimeoutMs: 500, ...limits } });
  const [one, two, three] = [await endpoint('one'), await endpoint('two'), await endpoint('three')];
  return { bus, one, two, three };
};

const sessionOf = async (
  endpoint: InteractiveEndpoint,
): Promise<Readonly<Record<string, string>>> => {
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} } };
  const answer = await post(endpoint.url, rpc('initialize', params));
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']), ...REVISION };
};

const asking = call('ask', { questions: [ELICITATION] });

describe('a session served by several processes', () => {
  it('accepts the answer to a question in any process, and only from the session that was asked', async () => {
    const { one, two } = await startThree();
    const headers = await sessionOf(one);
    const reader = await readEvents(one.url, { headers, body: asking });
    const [{ id }] = await reader.atLeast(1);
    expect(id).toMatch(/^one:/);
    const response = { jsonrpc: '2.0', id, result: ADA };
    expect((await post(two.url, response, await sessionOf(two))).status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reader.messages()).toHaveLength(1);
    expect((await post(two.url, response, headers)).status).toBe(202);
    await reader.ended();
    expect(JSON.parse(reader.messages()[1].result.content[0].text)).toEqual([
      { ok: true, result: ADA },
    ]);
  });

  it('is cancelled, ended and unsubscribed everywhere', async () => {
    const { one, two, three } = await startThree();
    const headers = await sessionOf(one);
    const running = post(one.url, call('wait'), headers);
    await until(() => one.interactive.waiting.length === 1);
    const params = { requestId: 1, reason: 'enough' };
    await post(two.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers);
    await running;
    expect(one.interactive.aborted).toEqual(['enough']);
    await post(one.url, rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    await post(three.url, rpc('resources/unsubscribe', { uri: 'file:///a' }), headers);
    await until(() => one.interactive.followed().length === 0);
    await send(two.url, { method: 'DELETE', headers });
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const endpoint of [one, two, three]) {
      expect((await post(endpoint.url, rpc('ping'), headers)).status).toBe(404);
    }
  });

  it('has one level of log messages', async () => {
    const { one, two } = await startThree();
    const headers = await sessionOf(one);
    await post(one.url, rpc('logging/setLevel', { level: 'error' }), headers);
    await until(() => two.mcp.stats().sessions === 1);
    const answer = await post(two.url, call('log', { levels: ['info'] }), headers);
    expect(answer.json.result.content[0].text).toBe('"error"');
  });

  it('receives updates on its stream, in any process', async () => {
    const { one, two } = await startThree();
    const headers = await sessionOf(one);
    await post(one.url, rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    const reader = await readEvents(two.url, { headers });
    await until(() => reader.lastId() !== undefined);
    one.interactive.update('file:///a');
    expect(await reader.atLeast(1)).toMatchObject([{ params: { uri: 'file:///a' } }]);
    reader.cut();
  });

  it('stays while it is used anywhere, and ends everywhere when it is not', async () => {
    const { one, two } = await startThree({ sessionIdleMs: 400 });
    const headers = await sessionOf(one);
    const reader = await readEvents(two.url, { headers });
    await until(() => two.mcp.stats().sessions === 1 && one.mcp.stats().sessions === 0);
    const isServed = async (endpoint: InteractiveEndpoint): Promise<boolean> =>
      (await post(endpoint.url, rpc('ping'), headers)).status === 200;
    expect([await isServed(one), await isServed(two)]).toEqual([true, true]);
    reader.cut();
    await until(() => one.mcp.stats().sessions + two.mcp.stats().sessions === 0);
    // The end is told to the others in the next turn of the event loop, which a request may overtake.
    await new Promise((resolve) => setImmediate(resolve));
    expect([await isServed(one), await isServed(two)]).toEqual([false, false]);
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
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return async (ms) => {
    for (let passed = 0; passed < ms; passed += 50) {
      vi.advanceTimersByTime(50);
      for (let turns = 0; turns < 5; turns += 1)
        await new Promise((resolve) => setImmediate(resolve));
    }
  };
};

describe('a stream that is resumed at another process', () => {
  const lose = async (one: InteractiveEndpoint) => {
    const headers = await sessionOf(one);
    const body = call('wait', {}, { progressToken: 't' });
    const opening = readEvents(one.url, { headers, body });
    await until(() => one.interactive.waiting.length === 1);
    one.interactive.waiting[0]?.onProgress?.({ progress: 1 });
    const reader = await opening;
    await reader.atLeast(1);
    reader.cut();
    await until(reader.hasEnded);
    one.interactive.waiting[0]?.onProgress?.({ progress: 2 });
    return { headers: { ...headers, 'last-event-id': reader.lastId() ?? '' } };
  };

  it('resumes from the process that owns it', async () => {
    const { one, two } = await startThree();
    const { headers } = await lose(one);
    const again = await readEvents(two.url, { headers });
    await again.atLeast(1);
    one.interactive.waiting[0]?.onProgress?.({ progress: 3 });
    one.interactive.release();
    await again.ended();
    expect(again.messages().map(({ params, result }) => params?.progress ?? typeof result)).toEqual(
      [2, 3, 'object'],
    );
    expect(again.events.map(({ id }) => id?.split('.')[0])).toEqual(['one', 'one', 'one']);
  });

  it('is lost again when its client disconnects, and its call is cancelled in time', async () => {
    const pass = controlTime();
    const { one, two } = await startThree();
    const { headers } = await lose(one);
    const again = await readEvents(two.url, { headers });
    await again.atLeast(1);
    await pass(31_000);
    expect(one.interactive.aborted).toEqual([]);
    again.cut();
    while (one.interactive.aborted.length === 0) await pass(1_000);
  });

  it('is lost again when the process of its client dies', async () => {
    const pass = controlTime();
    const { one, two, bus } = await startThree();
    const { headers } = await lose(one);
    const again = await readEvents(two.url, { headers });
    await again.atLeast(1);
    await pass(31_000);
    expect(one.interactive.aborted).toEqual([]);
    bus.dead.add('two');
    while (one.interactive.aborted.length === 0) await pass(1_000);
    expect(one.mcp.stats().inFlight).toBe(0);
  });

  it('is refused when that process is dead, and closed when it dies later', async () => {
    const { one, two, bus } = await startThree({ peerTimeoutMs: 60 });
    const { headers } = await lose(one);
    const again = await readEvents(two.url, { headers });
    await again.atLeast(1);
    bus.dead.add('one');
    await again.ended();
    const answer = await send(two.url, { method: 'GET', headers });
    expect([answer.status, answer.json.error.message]).toEqual([
      400,
      'Last-Event-ID names nothing that can be resumed; start again without it',
    ]);
  });
});

describe('the retry of a suspended call at another process', () => {
  const tryCall = (endpoint: InteractiveEndpoint, params: object): Promise<Answer> =>
    postModern(endpoint.url, 'tools/call', {
      name: 'ask',
      arguments: { questions: [ELICITATION] },
      ...params,
      _meta: {
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        progressToken: 'p',
      },
    });
  const inputResponses = { q1: ADA };

  it('resumes in the process that runs the call, and its messages are relayed back', async () => {
    const { one, two } = await startThree();
    const { requestState } = (await tryCall(one, {})).json.result;
    const odd = await tryCall(two, { requestState, inputResponses: {} });
    expect(odd.json.result.inputRequests).toEqual({ q1: ELICITATION });
    const answer = await tryCall(two, {
      requestState: odd.json.result.requestState,
      inputResponses,
    });
    expect(eventsOf(answer.text)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p' } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
    expect(one.mcp.stats().inFlight + two.mcp.stats().inFlight).toBe(0);
  });

  it('is answered with an error when that process is dead or there are no peers', async () => {
    const { one, two, bus } = await startThree({ peerTimeoutMs: 30 });
    const { requestState } = (await tryCall(one, {})).json.result;
    const alone = await start({ sessionKey: Buffer.alloc(32, 3) });
    bus.dead.add('one');
    for (const endpoint of [two, alone]) {
      const answer = await tryCall(endpoint, { requestState, inputResponses });
      expect(answer.json.error).toEqual({
        code: -32602,
        message: 'The call of this requestState is over or has expired; start it again',
      });
    }
  });

  it('is bounded in number', async () => {
    const { one, two } = await startThree({ maxRelays: 0 });
    const { requestState } = (await tryCall(one, {})).json.result;
    const answer = await tryCall(two, { requestState, inputResponses });
    expect(answer.json.error.code).toBe(-32602);
  });

  it('is cancelled when its client goes', async () => {
    const { one, two } = await startThree();
    const endpoint = one.interactive;
    const held = { name: 'ask-and-wait', arguments: { questions: [ELICITATION] } };
    const { requestState } = (await tryCall(one, held)).json.result;
    const abort = new AbortController();
    const retry = postModern(
      two.url,
      'tools/call',
      { ...held, requestState, inputResponses },
      { signal: abort.signal },
    );
    await until(() => endpoint.waiting.length === 1);
    abort.abort();
    await expect(retry).rejects.toThrow();
    await until(() => endpoint.aborted.length === 1);
    expect([endpoint.aborted, one.mcp.stats().inFlight]).toEqual([
      ['The caller has disconnected'],
      0,
    ]);
  });
});

describe('a process that receives malformed messages', () => {
  it('ignores them', async () => {
    const bus = memoryBus();
    const endpoint = await start({ peers: bus.join('one') });
    const stranger = bus.join('two');
    const bodies = [
      {},
      { mcpHttp: '__proto__', from: 'two', body: {} },
      { mcpHttp: 'relay-open', from: 'two', body: { relay: 7 } },
      { mcpHttp: 'relay-open', from: 'two', body: { relay: 'r', purpose: 'retry', body: {} } },
      { mcpHttp: 'relay-open', from: 'two', body: { relay: 'r', purpose: 'nothing', body: {} } },
      { mcpHttp: 'relay-end', from: 'two', body: { relay: 'constructor' } },
      { mcpHttp: 'answered', from: 'two', body: { session: 'x', message: { id: '__proto__' } } },
      { mcpHttp: 'notified', from: 'two', body: { session: 'x', message: 7 } },
      { mcpHttp: 'session-ended', from: 'two', body: { session: null } },
      { mcpHttp: 'session-level', from: 'two', body: { session: '__proto__', level: 'debug' } },
      { mcpHttp: 'stream-message', from: 'two', body: {} },
    ];
    for (const body of bodies) stranger.send(body);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await post(endpoint.url, rpc('ping'))).status).toBe(200);
    expect(endpoint.errors).toEqual([]);
  });
});
