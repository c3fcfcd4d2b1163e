import { afterEach, describe, expect, it } from 'vitest';
import type { McpHttpLimits } from '../src/protocol/limits.ts';
import { SessionTokens } from '../src/sessions/session-token.ts';
import { readEvents } from './event-reader.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { memoryRecords } from './memory-records.ts';
import { memoryBus } from './peer-bus.ts';
import { call, post, rpc, send, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const KEY = Buffer.alloc(32, 3);
const REVISION = { 'mcp-protocol-version': '2025-11-25' };
const URI = 'file:///a';
type Headers = Readonly<Record<string, string>>;

/** Processes with one service each, one store and one bus. */
const processes = () => {
  const bus = memoryBus();
  const records = memoryRecords();
  const join = (
    id: string,
    limits: Partial<McpHttpLimits> = {},
    keys: { readonly sessionKey: Uint8Array; readonly previousSessionKey?: Uint8Array } = {
      sessionKey: KEY,
    },
  ): Promise<InteractiveEndpoint> =>
    start({
      ...keys,
      peers: bus.join(id),
      sessionRecords: records,
      limits: { peerTimeoutMs: 2_000, ...limits },
    });
  return { bus, records, join };
};

const sessionOf = async ({ url }: InteractiveEndpoint): Promise<Headers> => {
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  const answer = await post(url, rpc('initialize', params));
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']), ...REVISION };
};
/** A session that was started an hour ago. */
const oldSession = () => {
  const issuedAt = Date.now() - 3_600_000;
  const facts = { revision: '2025-11-25', features: 0, issuedAt, owner: '' };
  return { 'mcp-session-id': new SessionTokens(KEY).issue(facts), ...REVISION };
};
const pingStatus = async ({ url }: InteractiveEndpoint, headers: Headers): Promise<number> =>
  (await post(url, rpc('ping'), headers)).status;

describe('a session in a shared store', () => {
  it('that a client has ended is unknown to a process that starts later', async () => {
    const { bus, join } = processes();
    const one = await join('one');
    const headers = await sessionOf(one);
    bus.dead.add('one');
    expect((await send(one.url, { method: 'DELETE', headers })).status).toBe(204);
    expect(await pingStatus(await join('two'), headers)).toBe(404);
  });

  it('that another process ended is unknown soon, also when its message was lost', async () => {
    const { bus, join } = processes();
    const one = await join('one', { sessionIdleMs: 500 });
    const two = await join('two', { sessionIdleMs: 500 });
    const headers = await sessionOf(one);
    expect(await pingStatus(two, headers)).toBe(200);
    bus.dead.add('one');
    await send(one.url, { method: 'DELETE', headers });
    let status = 200;
    while (status === 200) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      status = await pingStatus(two, headers);
    }
    expect(status).toBe(404);
  });

  it('continues while the store does not answer', async () => {
    const { records, join } = processes();
    const one = await join('one');
    const headers = await sessionOf(one);
    records.fail = true;
    const two = await join('two');
    expect(await pingStatus(two, headers)).toBe(200);
    expect((await post(two.url, rpc('resources/subscribe', { uri: URI }), headers)).json).toEqual({
      ...{ jsonrpc: '2.0', id: 1, result: {} },
    });
    expect((await send(two.url, { method: 'DELETE', headers })).status).toBe(204);
  });

  it('costs no operation of the store for further requests', async () => {
    const { records, join } = processes();
    const [one, two] = [await join('one'), await join('two')];
    const headers = await sessionOf(one);
    for (let count = 0; count < 5; count += 1) {
      await pingStatus(one, headers);
      await pingStatus(two, headers);
    }
    expect(records.reads).toBe(1);
  });

  it('ends when no process has used it for the idle time', async () => {
    const { records, join } = processes();
    const headers = oldSession();
    const one = await join('one');
    expect(await pingStatus(one, headers)).toBe(404);
    await records.markUsed(headers['mcp-session-id'], 1);
    expect(await pingStatus(await join('two'), headers)).toBe(200);
  });

  it('continues in a process that starts after the store has lost its data, until marks are missing for longer than they last', async () => {
    const { records, join } = processes();
    const headers = oldSession();
    records.marksSince = Date.now();
    expect(await pingStatus(await join('one'), headers)).toBe(200);
    const limits = { sessionIdleMs: 100 };
    records.hasNoUses = true;
    records.marksSince = Date.now() - 200;
    expect(await pingStatus(await join('two', limits), oldSession())).toBe(404);
  });

  it('stays where it is used, and is forgotten where it is not', async () => {
    const { records, join } = processes();
    const limits = { sessionIdleMs: 300 };
    const [one, two] = [await join('one', limits), await join('two', limits)];
    const headers = oldSession();
    await records.markUsed(headers['mcp-session-id'], 1);
    expect(await pingStatus(one, headers)).toBe(200);
    const reader = await readEvents(two.url, { headers });
    await until(() => one.mcp.stats().sessions === 0);
    expect(await pingStatus(one, headers)).toBe(200);
    reader.cut();
    records.hasNoUses = true;
    await until(() => one.mcp.stats().sessions + two.mcp.stats().sessions === 0);
    expect([await pingStatus(one, headers), await pingStatus(two, headers)]).toEqual([404, 404]);
  });

  it('has its level of log messages in a process that starts later', async () => {
    const { join } = processes();
    const one = await join('one');
    const headers = await sessionOf(one);
    await post(one.url, rpc('logging/setLevel', { level: 'error' }), headers);
    const two = await join('two');
    const answer = await post(two.url, call('log', { levels: ['info'] }), headers);
    expect(answer.json.result.content[0].text).toBe('"error"');
  });

  it('is accepted under the previous key while processes get a new one', async () => {
    const { join } = processes();
    const next = Buffer.alloc(32, 4);
    const [old, exchanging] = [
      await join('one', {}, { sessionKey: KEY, previousSessionKey: next }),
      await join('two', {}, { sessionKey: next, previousSessionKey: KEY }),
    ];
    expect(await pingStatus(exchanging, await sessionOf(old))).toBe(200);
    expect(await pingStatus(old, await sessionOf(exchanging))).toBe(200);
    const done = await join('three', {}, { sessionKey: next });
    expect(await pingStatus(done, await sessionOf(exchanging))).toBe(200);
    expect(await pingStatus(done, await sessionOf(old))).toBe(404);
  });
});

describe('the resources that a session follows', () => {
  it('are followed where its stream is', async () => {
    const { join } = processes();
    const [one, two] = [await join('one'), await join('two')];
    const headers = await sessionOf(one);
    await post(one.url, rpc('resources/subscribe', { uri: URI }), headers);
    expect(one.interactive.followed()).toEqual([URI]);
    const reader = await readEvents(two.url, { headers });
    await until(() => two.interactive.followed().length === 1);
    await until(() => one.interactive.followed().length === 0);
    two.interactive.update(URI);
    expect(await reader.atLeast(1)).toMatchObject([{ params: { uri: URI } }]);
    await post(one.url, rpc('resources/subscribe', { uri: 'file:///b' }), headers);
    await until(() => two.interactive.followed().length === 2);
    await until(() => one.interactive.followed().length === 0);
    await post(one.url, rpc('resources/unsubscribe', { uri: URI }), headers);
    await until(() => two.interactive.followed().length === 1);
    reader.cut();
  });

  it('survive the end of the process, and those that may have changed are announced', async () => {
    const { bus, join } = processes();
    const one = await join('one');
    const headers = await sessionOf(one);
    const first = await readEvents(one.url, { headers });
    await until(() => first.lastId() !== undefined);
    await post(one.url, rpc('resources/subscribe', { uri: URI }), headers);
    const two = await join('two');
    await one.drain(1_000);
    bus.dead.add('one');
    await first.ended();
    const resumed = { ...headers, 'last-event-id': String(first.lastId()) };
    const startedAt = performance.now();
    const second = await readEvents(two.url, { headers: resumed });
    const messages = await second.atLeast(2);
    // The process that ended has said so: nobody waits for its answer.
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(messages.map(({ method }) => String(method)).toSorted()).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
    expect(two.interactive.followed()).toEqual([URI]);
    second.cut();
  });
});
