import { describe, expect, it } from 'vitest';
import { start } from './endpoint.ts';
import { call, eventsOf, pause, readText, rpc, tell, until } from './wire-client.ts';

const old = { revision: '2025-06-18' };

const LEVELS = ['debug', 'info', 'warning', 'emergency', 'loud', '__proto__'];
const logging = call('log', { levels: LEVELS });

/** The levels of the messages in an answer, and the text of its result. */
const readLogged = (text: string): readonly [unknown[], unknown] => {
  const messages = text.startsWith('{') ? [JSON.parse(text) as unknown] : eventsOf(text);
  const levels = messages.flatMap((message) => {
    const { method, params } = message as { method?: string; params?: { level: unknown } };
    return method === 'notifications/message' ? [params?.level] : [];
  });
  const last = messages.at(-1) as { result?: unknown };
  return [levels, last.result && readText(last.result)];
};

describe('log messages of a call', () => {
  it.each([
    [undefined, 'info', ['info', 'warning', 'emergency']],
    ['debug', 'debug', ['debug', 'info', 'warning', 'emergency']],
    ['critical', 'critical', ['emergency']],
  ])('of a session with the level %s', async (level, told, heard) => {
    const { post, startSession } = await start();
    const headers = await startSession(old);
    if (level !== undefined) {
      const set = await post(rpc('logging/setLevel', { level }), headers);
      expect(set.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
    const other = await startSession(old);
    await post(rpc('logging/setLevel', { level: 'alert' }), other);
    expect(readLogged((await post(logging, headers)).text)).toEqual([heard, told]);
    expect(readLogged((await post(logging, other)).text)).toEqual([['emergency'], 'alert']);
  });

  it.each(['loud', '', 7, null, '__proto__'])('cannot have the level %j', async (level) => {
    const { post, startSession } = await start();
    const { json } = await post(rpc('logging/setLevel', { level }), await startSession());
    const message = 'params.level must be a level of log messages';
    expect(json.error).toEqual({ code: -32602, message });
  });

  it.each([
    ['warning', ['warning', 'emergency']],
    [undefined, []],
    ['loud', []],
  ])('of a request of 2026-07-28 with the level %s', async (level, heard) => {
    const _meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
    const params = { name: 'log', arguments: { levels: LEVELS }, _meta };
    const { text } = await (await start()).postModern('tools/call', params);
    expect(readLogged(text)[0]).toEqual(heard);
  });

  it('are absent when the service declares none, and have no method for their level in 2026-07-28', async () => {
    const { post, postModern, startSession } = await start({
      change: ({ capabilities: { logging: _, ...capabilities }, ...service }) => ({
        ...service,
        capabilities,
      }),
    });
    const headers = await startSession();
    const set = await post(rpc('logging/setLevel', { level: 'debug' }), headers);
    expect(set.json.error.code).toBe(-32601);
    expect(readLogged((await post(logging, headers)).text)[0]).toEqual([]);
    const { status, json } = await postModern('logging/setLevel', { level: 'debug' });
    expect([status, json.error.code]).toEqual([404, -32601]);
  });
});

describe('subscriptions to resources', () => {
  const URI = 'file:///a';
  const subscribe = rpc('resources/subscribe', { uri: URI });

  it('reach the session that has subscribed, and no other', async () => {
    const { post, readEvents, startSession, interactive } = await start();
    const [mine, other] = [await startSession(old), await startSession(old)];
    const [reader, stranger] = [await readEvents(mine), await readEvents(other)];
    for (let at = 0; at < 2; at += 1) expect((await post(subscribe, mine)).json.result).toEqual({});
    expect(interactive.followed()).toEqual([URI]);
    interactive.update(URI, { 'x-own': 1, uri: 'downstream:///a' });
    const updated = tell('notifications/resources/updated', { uri: URI, 'x-own': 1 });
    expect(await reader.atLeast(1)).toEqual([updated]);
    await post(rpc('resources/unsubscribe', { uri: URI }), mine);
    expect(interactive.followed()).toEqual([]);
    expect(stranger.messages()).toEqual([]);
  });

  it('are sent on one stream of the session, and end with it', async () => {
    const { post, send, readEvents, startSession, interactive } = await start();
    const headers = await startSession(old);
    const [first, second] = [await readEvents(headers), await readEvents(headers)];
    await post(subscribe, headers);
    interactive.update(URI);
    await second.atLeast(1);
    expect([first.messages().length, second.messages().length]).toEqual([0, 1]);
    await send({ method: 'DELETE', headers });
    expect(interactive.followed()).toEqual([]);
  });

  it('fail as the service fails, are bounded, and need a session', async () => {
    const { post, startSession } = await start({ limits: { maxSubscriptions: 1 } });
    const headers = await startSession();
    const fail = async (params: object, session: object = headers) =>
      (await post(rpc('resources/subscribe', params), { ...session })).json.error;
    const notFound = { code: -32002, message: 'Resource not found' };
    expect(await fail({ uri: 'file:///none' })).toEqual(notFound);
    await post(subscribe, headers);
    const { message } = await fail({ uri: 'file:///b' });
    expect(message).toBe('Too many subscriptions: the limit of 1 is reached');
    expect((await fail({ uri: URI }, {})).message).toBe('A subscription needs a session');
    expect((await fail({})).message).toBe('params.uri must be a string');
  });

  it('are unknown where the service has none', async () => {
    const capabilities = { tools: {}, resources: {} };
    const { post, startSession } = await start({
      change: (service) => ({ ...service, capabilities }),
    });
    expect((await post(subscribe, await startSession())).json.error.code).toBe(-32601);
  });
});

describe('a changed list', () => {
  const changed = tell('notifications/tools/list_changed', {});

  it('is announced to the sessions whose own list has changed', async () => {
    const { readEvents, startSession, interactive } = await start();
    interactive.setTools('a', ['one']);
    interactive.setTools('b', ['one']);
    const open = async (group: string) =>
      readEvents({ ...(await startSession(old)), 'x-group': group });
    const [mine, other] = [await open('a'), await open('b')];
    interactive.setTools('a', ['one', 'two']);
    interactive.setTools('b', ['one']);
    interactive.changed('tools');
    interactive.changed('tools');
    await mine.atLeast(1);
    await pause(20);
    expect([mine.messages(), other.messages()]).toEqual([[changed], []]);
  });

  it('is not announced when the service does not declare it', async () => {
    const { readEvents, startSession, interactive, stats } = await start();
    const reader = await readEvents(await startSession(old));
    interactive.changed('prompts');
    interactive.setTools('', []);
    interactive.changed('tools');
    expect(await reader.atLeast(1)).toEqual([changed]);
    await reader.cut();
    await until(() => stats().streams === 0);
    interactive.changed('tools');
  });
});
