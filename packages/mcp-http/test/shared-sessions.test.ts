import { describe, expect, it } from 'vitest';
import { SessionTokens } from '../src/sessions/session-token.ts';
import { start, type EndpointOptions, type InteractiveEndpoint } from './endpoint.ts';
import { memoryRecords } from './memory-records.ts';
import { memoryBus } from './peer-bus.ts';
import { call, pause, readAnswer, rpc, until, type Headers } from './wire-client.ts';

const KEY = Buffer.alloc(32, 3);
const URI = 'file:///a';

/** Processes with one service each, one store and one bus. */
const processes = () => {
  const bus = memoryBus();
  const records = memoryRecords();
  const join = (id: string, { limits = {}, ...options }: EndpointOptions = {}) =>
    start({
      sessionKey: KEY,
      peers: bus.join(id),
      sessionRecords: records,
      limits: { peerTimeoutMs: 2_000, ...limits },
      ...options,
    });
  return { bus, records, join };
};

/** A session that was started an hour ago. */
const createOldSession = () => {
  const issuedAt = Date.now() - 3_600_000;
  const facts = { revision: '2025-11-25', features: 0, issuedAt, owner: '' };
  const id = new SessionTokens(KEY).issue(facts);
  return { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
};

const ping = async ({ post }: InteractiveEndpoint, headers: Headers): Promise<number> =>
  (await post(rpc('ping'), headers)).status;

describe('a session in a shared store', () => {
  it('that a client has ended is unknown to a process that starts later', async () => {
    const { bus, join } = processes();
    const one = await join('one');
    const headers = await one.startSession();
    bus.dead.add('one');
    expect((await one.send({ method: 'DELETE', headers })).status).toBe(204);
    expect(await ping(await join('two'), headers)).toBe(404);
  });

  it('that another process ended is unknown soon, also when its message was lost', async () => {
    const { bus, join } = processes();
    const options = { limits: { sessionIdleMs: 500 } };
    const [one, two] = [await join('one', options), await join('two', options)];
    const headers = await one.startSession();
    expect(await ping(two, headers)).toBe(200);
    bus.dead.add('one');
    await one.send({ method: 'DELETE', headers });
    let status = 200;
    while (status === 200) {
      await pause(10);
      status = await ping(two, headers);
    }
    expect(status).toBe(404);
  });

  it('continues while the store does not answer', async () => {
    const { records, join } = processes();
    const headers = await (await join('one')).startSession();
    records.fail = true;
    const two = await join('two');
    expect(await ping(two, headers)).toBe(200);
    const { json } = await two.post(rpc('resources/subscribe', { uri: URI }), headers);
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await two.send({ method: 'DELETE', headers })).status).toBe(204);
  });

  it('costs no operation of the store for further requests', async () => {
    const { records, join } = processes();
    const [one, two] = [await join('one'), await join('two')];
    const headers = await one.startSession();
    for (let count = 0; count < 5; count += 1)
      for (const endpoint of [one, two]) await ping(endpoint, headers);
    expect(records.reads).toBe(1);
  });

  it('ends when no process has used it for the idle time', async () => {
    const { records, join } = processes();
    const headers = createOldSession();
    expect(await ping(await join('one'), headers)).toBe(404);
    await records.markUsed(headers['mcp-session-id'], 1);
    expect(await ping(await join('two'), headers)).toBe(200);
  });

  it('continues in a process that starts after the store has lost its data, until marks are missing for longer than they last', async () => {
    const { records, join } = processes();
    records.marksSince = Date.now();
    expect(await ping(await join('one'), createOldSession())).toBe(200);
    records.hasNoUses = true;
    records.marksSince = Date.now() - 200;
    const two = await join('two', { limits: { sessionIdleMs: 100 } });
    expect(await ping(two, createOldSession())).toBe(404);
  });

  it('stays where it is used, and is forgotten where it is not', async () => {
    const { records, join } = processes();
    const options = { limits: { sessionIdleMs: 300 } };
    const [one, two] = [await join('one', options), await join('two', options)];
    const headers = createOldSession();
    await records.markUsed(headers['mcp-session-id'], 1);
    expect(await ping(one, headers)).toBe(200);
    const reader = await two.readEvents(headers);
    await until(() => one.stats().sessions === 0);
    expect(await ping(one, headers)).toBe(200);
    await reader.cut();
    records.hasNoUses = true;
    await until(() => one.stats().sessions + two.stats().sessions === 0);
    expect([await ping(one, headers), await ping(two, headers)]).toEqual([404, 404]);
  });

  it('has its level of log messages in a process that starts later', async () => {
    const { join } = processes();
    const one = await join('one');
    const headers = await one.startSession();
    await one.post(rpc('logging/setLevel', { level: 'error' }), headers);
    const two = await join('two');
    const answer = await two.post(call('log', { levels: ['info'] }), headers);
    expect(readAnswer(answer)).toBe('error');
  });

  it('is accepted under the previous key while processes get a new one', async () => {
    const { join } = processes();
    const next = Buffer.alloc(32, 4);
    const old = await join('one', { sessionKey: KEY, previousSessionKey: next });
    const exchanging = await join('two', { sessionKey: next, previousSessionKey: KEY });
    const done = await join('three', { sessionKey: next });
    expect(await ping(exchanging, await old.startSession())).toBe(200);
    expect(await ping(old, await exchanging.startSession())).toBe(200);
    expect(await ping(done, await exchanging.startSession())).toBe(200);
    expect(await ping(done, await old.startSession())).toBe(404);
  });
});

describe('the resources that a session follows', () => {
  it('are followed where its stream is', async () => {
    const { join } = processes();
    const [one, two] = [await join('one'), await join('two')];
    const counts = (...expected: number[]): Promise<void> =>
      until(() =>
        [one, two].every(({ interactive }, at) => interactive.followed().length === expected[at]),
      );
    const headers = await one.startSession();
    await one.post(rpc('resources/subscribe', { uri: URI }), headers);
    expect(one.interactive.followed()).toEqual([URI]);
    const reader = await two.readEvents(headers);
    await counts(0, 1);
    two.interactive.update(URI);
    expect(await reader.atLeast(1)).toMatchObject([{ params: { uri: URI } }]);
    await one.post(rpc('resources/subscribe', { uri: 'file:///b' }), headers);
    await counts(0, 2);
    await one.post(rpc('resources/unsubscribe', { uri: URI }), headers);
    await counts(0, 1);
  });

  it('survive the end of the process, and those that may have changed are announced', async () => {
    const { bus, join } = processes();
    const one = await join('one');
    const headers = await one.startSession();
    const first = await one.readEvents(headers);
    await first.opened();
    await one.post(rpc('resources/subscribe', { uri: URI }), headers);
    const two = await join('two');
    await one.drain(1_000);
    bus.dead.add('one');
    await first.ended();
    const startedAt = performance.now();
    const second = await two.readEvents({ ...headers, 'last-event-id': String(first.lastId()) });
    const messages = await second.atLeast(2);
    // The process that ended has said so: nobody waits for its answer.
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(messages.map(({ method }) => String(method)).toSorted()).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
    expect(two.interactive.followed()).toEqual([URI]);
  });
});
