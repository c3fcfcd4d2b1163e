import { afterEach, describe, expect, it } from 'vitest';
import { readEvents } from './event-reader.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { call, eventsOf, openSession, post, postModern, rpc, send, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const sessionOf = async (
  endpoint: InteractiveEndpoint,
): Promise<Readonly<Record<string, string>>> => ({
  'mcp-session-id': await openSession(endpoint.url),
});

const LEVELS = ['debug', 'info', 'warning', 'emergency', 'loud', '__proto__'];
const logging = call('log', { levels: LEVELS });

const levelsIn = (text: string): unknown[] =>
  (text.startsWith('{') ? [] : eventsOf(text)).flatMap((message) => {
    const { method, params } = message as { method?: string; params?: { level: unknown } };
    return method === 'notifications/message' ? [params?.level] : [];
  });

const textIn = (text: string): unknown => {
  const messages = text.startsWith('{') ? [JSON.parse(text) as unknown] : eventsOf(text);
  const last = messages.at(-1) as { result: { content: readonly [{ text: string }] } };
  return JSON.parse(last.result.content[0].text) as unknown;
};

describe('log messages of a call', () => {
  it.each([
    [undefined, 'info', ['info', 'warning', 'emergency']],
    ['debug', 'debug', ['debug', 'info', 'warning', 'emergency']],
    ['critical', 'critical', ['emergency']],
  ])('of a session with the level %s', async (level, told, heard) => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    if (level !== undefined) {
      const set = await post(endpoint.url, rpc('logging/setLevel', { level }), headers);
      expect(set.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
    const answer = await post(endpoint.url, logging, headers);
    expect([levelsIn(answer.text), textIn(answer.text)]).toEqual([heard, told]);
  });

  it('separate the level of each session', async () => {
    const endpoint = await start();
    const [loud, quiet] = [await sessionOf(endpoint), await sessionOf(endpoint)];
    await post(endpoint.url, rpc('logging/setLevel', { level: 'emergency' }), quiet);
    const levels = [loud, quiet].map(async (headers) =>
      levelsIn((await post(endpoint.url, logging, headers)).text),
    );
    expect(await Promise.all(levels)).toEqual([['info', 'warning', 'emergency'], ['emergency']]);
  });

  it.each(['loud', '', 7, null, '__proto__'])('cannot have the level %j', async (level) => {
    const endpoint = await start();
    const answer = await post(
      endpoint.url,
      rpc('logging/setLevel', { level }),
      await sessionOf(endpoint),
    );
    expect(answer.json.error).toEqual({
      code: -32602,
      message: 'params.level must be a level of log messages',
    });
  });

  it.each([
    ['warning', ['warning', 'emergency']],
    [undefined, []],
    ['loud', []],
  ])('of a request of 2026-07-28 with the level %s', async (level, heard) => {
    const endpoint = await start();
    const _meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
    const params = { name: 'log', arguments: { levels: LEVELS }, _meta };
    const answer = await postModern(endpoint.url, 'tools/call', params);
    expect(levelsIn(answer.text)).toEqual(heard);
  });

  it('are absent when the service declares none', async () => {
    const { logging: _, ...capabilities } = (await start()).interactive.service.capabilities;
    const endpoint = await start({ change: (service) => ({ ...service, capabilities }) });
    const headers = await sessionOf(endpoint);
    const set = await post(endpoint.url, rpc('logging/setLevel', { level: 'debug' }), headers);
    expect(set.json.error.code).toBe(-32601);
    expect(levelsIn((await post(endpoint.url, logging, headers)).text)).toEqual([]);
  });

  it('have no method to set their level in 2026-07-28', async () => {
    const endpoint = await start();
    const answer = await postModern(endpoint.url, 'logging/setLevel', { level: 'debug' });
    expect([answer.status, answer.json.error.code]).toEqual([404, -32601]);
  });
});

describe('subscriptions to resources', () => {
  const URI = 'file:///a';
  const subscribe = rpc('resources/subscribe', { uri: URI });

  it('reach the session that has subscribed, and no other', async () => {
    const endpoint = await start();
    const [mine, other] = [await sessionOf(endpoint), await sessionOf(endpoint)];
    const [reader, stranger] = [
      await readEvents(endpoint.url, { headers: mine }),
      await readEvents(endpoint.url, { headers: other }),
    ];
    for (let at = 0; at < 2; at += 1) {
      expect((await post(endpoint.url, subscribe, mine)).json.result).toEqual({});
    }
    expect(endpoint.interactive.followed()).toEqual([URI]);
    endpoint.interactive.update(URI, { 'x-own': 1, uri: 'downstream:///a' });
    expect(await reader.atLeast(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: URI, 'x-own': 1 },
      },
    ]);
    await post(endpoint.url, rpc('resources/unsubscribe', { uri: URI }), mine);
    expect(endpoint.interactive.followed()).toEqual([]);
    expect(stranger.messages()).toEqual([]);
    reader.cut();
    stranger.cut();
  });

  it('are sent on one stream of the session', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const readers = [
      await readEvents(endpoint.url, { headers }),
      await readEvents(endpoint.url, { headers }),
    ];
    await post(endpoint.url, subscribe, headers);
    endpoint.interactive.update(URI);
    await readers[1]?.atLeast(1);
    expect(readers.map((reader) => reader.messages().length)).toEqual([0, 1]);
    for (const reader of readers) reader.cut();
  });

  it('end with their session', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    await post(endpoint.url, subscribe, headers);
    await send(endpoint.url, { method: 'DELETE', headers });
    expect(endpoint.interactive.followed()).toEqual([]);
  });

  it('fail as the service fails, are bounded, and need a session', async () => {
    const endpoint = await start({ limits: { maxSubscriptions: 1 } });
    const headers = await sessionOf(endpoint);
    const none = rpc('resources/subscribe', { uri: 'file:///none' });
    expect((await post(endpoint.url, none, headers)).json.error).toEqual({
      code: -32002,
      message: 'Resource not found',
    });
    await post(endpoint.url, subscribe, headers);
    const second = rpc('resources/subscribe', { uri: 'file:///b' });
    expect((await post(endpoint.url, second, headers)).json.error.message).toBe(
      'Too many subscriptions: the limit of 1 is reached',
    );
    expect((await post(endpoint.url, subscribe)).json.error.message).toBe(
      'A subscription needs a session',
    );
    expect(
      (await post(endpoint.url, rpc('resources/subscribe', {}), headers)).json.error.message,
    ).toBe('params.uri must be a string');
  });

  it('are unknown where the service has none', async () => {
    const endpoint = await start({
      change: (service) => ({ ...service, capabilities: { tools: {}, resources: {} } }),
    });
    const answer = await post(endpoint.url, subscribe, await sessionOf(endpoint));
    expect(answer.json.error.code).toBe(-32601);
  });
});

describe('a changed list', () => {
  it('is announced to the sessions whose own list has changed', async () => {
    const endpoint = await start();
    endpoint.interactive.setTools('a', ['one']);
    endpoint.interactive.setTools('b', ['one']);
    const streams = await Promise.all(
      ['a', 'b'].map(async (group) =>
        readEvents(endpoint.url, { headers: { ...(await sessionOf(endpoint)), 'x-group': group } }),
      ),
    );
    endpoint.interactive.setTools('a', ['one', 'two']);
    endpoint.interactive.setTools('b', ['one']);
    endpoint.interactive.changed('tools');
    endpoint.interactive.changed('tools');
    await streams[0]?.atLeast(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(streams.map((stream) => stream.messages())).toEqual([
      [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} }],
      [],
    ]);
    for (const stream of streams) stream.cut();
  });

  it('is not announced when the service does not declare it', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers });
    endpoint.interactive.changed('prompts');
    endpoint.interactive.setTools('', []);
    endpoint.interactive.changed('tools');
    expect(await reader.atLeast(1)).toHaveLength(1);
    reader.cut();
    await until(() => endpoint.mcp.stats().streams === 0);
    endpoint.interactive.changed('tools');
  });
});
