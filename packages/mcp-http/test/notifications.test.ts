import { afterEach, describe, expect, it } from 'vitest';
import { readEvents } from './event-reader.ts';
import { talkingFaces, type TalkingFace } from './talking-face.ts';
import { call, eventsOf, openSession, post, postModern, rpc, send, until } from './wire-client.ts';

const { start, end } = talkingFaces();
afterEach(end);

const sessionOf = async (face: TalkingFace): Promise<Readonly<Record<string, string>>> => ({
  'mcp-session-id': await openSession(face.url),
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
    const face = await start();
    const headers = await sessionOf(face);
    if (level !== undefined) {
      const set = await post(face.url, rpc('logging/setLevel', { level }), headers);
      expect(set.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
    const answer = await post(face.url, logging, headers);
    expect([levelsIn(answer.text), textIn(answer.text)]).toEqual([heard, told]);
  });

  it('keep the level of each session apart', async () => {
    const face = await start();
    const [loud, quiet] = [await sessionOf(face), await sessionOf(face)];
    await post(face.url, rpc('logging/setLevel', { level: 'emergency' }), quiet);
    const levels = [loud, quiet].map(async (headers) =>
      levelsIn((await post(face.url, logging, headers)).text),
    );
    expect(await Promise.all(levels)).toEqual([['info', 'warning', 'emergency'], ['emergency']]);
  });

  it.each(['loud', '', 7, null, '__proto__'])('cannot have the level %j', async (level) => {
    const face = await start();
    const answer = await post(face.url, rpc('logging/setLevel', { level }), await sessionOf(face));
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
    const face = await start();
    const _meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
    const params = { name: 'log', arguments: { levels: LEVELS }, _meta };
    const answer = await postModern(face.url, 'tools/call', params);
    expect(levelsIn(answer.text)).toEqual(heard);
  });

  it('are not there at all when the service declares none', async () => {
    const { logging: _, ...capabilities } = (await start()).talking.service.capabilities;
    const face = await start({ change: (service) => ({ ...service, capabilities }) });
    const headers = await sessionOf(face);
    const set = await post(face.url, rpc('logging/setLevel', { level: 'debug' }), headers);
    expect(set.json.error.code).toBe(-32601);
    expect(levelsIn((await post(face.url, logging, headers)).text)).toEqual([]);
  });

  it('have no method to set their level in 2026-07-28', async () => {
    const face = await start();
    const answer = await postModern(face.url, 'logging/setLevel', { level: 'debug' });
    expect([answer.status, answer.json.error.code]).toEqual([404, -32601]);
  });
});

describe('subscriptions to resources', () => {
  const URI = 'file:///a';
  const subscribe = rpc('resources/subscribe', { uri: URI });

  it('tell the session that has subscribed, and no other', async () => {
    const face = await start();
    const [mine, other] = [await sessionOf(face), await sessionOf(face)];
    const [reader, stranger] = [
      await readEvents(face.url, { headers: mine }),
      await readEvents(face.url, { headers: other }),
    ];
    for (let at = 0; at < 2; at += 1) {
      expect((await post(face.url, subscribe, mine)).json.result).toEqual({});
    }
    expect(face.talking.followed()).toEqual([URI]);
    face.talking.update(URI, { 'x-own': 1, uri: 'downstream:///a' });
    expect(await reader.atLeast(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: URI, 'x-own': 1 },
      },
    ]);
    await post(face.url, rpc('resources/unsubscribe', { uri: URI }), mine);
    expect(face.talking.followed()).toEqual([]);
    expect(stranger.messages()).toEqual([]);
    reader.cut();
    stranger.cut();
  });

  it('are told on one stream of the session', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const readers = [
      await readEvents(face.url, { headers }),
      await readEvents(face.url, { headers }),
    ];
    await post(face.url, subscribe, headers);
    face.talking.update(URI);
    await readers[1]?.atLeast(1);
    expect(readers.map((reader) => reader.messages().length)).toEqual([0, 1]);
    for (const reader of readers) reader.cut();
  });

  it('end with their session', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    await post(face.url, subscribe, headers);
    await send(face.url, { method: 'DELETE', headers });
    expect(face.talking.followed()).toEqual([]);
  });

  it('fail as the service fails, are bounded, and need a session', async () => {
    const face = await start({ limits: { maxSubscriptions: 1 } });
    const headers = await sessionOf(face);
    const none = rpc('resources/subscribe', { uri: 'file:///none' });
    expect((await post(face.url, none, headers)).json.error).toEqual({
      code: -32002,
      message: 'Resource not found',
    });
    await post(face.url, subscribe, headers);
    const second = rpc('resources/subscribe', { uri: 'file:///b' });
    expect((await post(face.url, second, headers)).json.error.message).toBe(
      'Too many subscriptions: the limit of 1 is reached',
    );
    expect((await post(face.url, subscribe)).json.error.message).toBe(
      'A subscription needs a session',
    );
    expect((await post(face.url, rpc('resources/subscribe', {}), headers)).json.error.message).toBe(
      'params.uri must be a string',
    );
  });

  it('are unknown where the service has none', async () => {
    const face = await start({
      change: (service) => ({ ...service, capabilities: { tools: {}, resources: {} } }),
    });
    const answer = await post(face.url, subscribe, await sessionOf(face));
    expect(answer.json.error.code).toBe(-32601);
  });
});

describe('a changed list', () => {
  it('is told to the sessions whose own list is another than before', async () => {
    const face = await start();
    face.talking.setTools('a', ['one']);
    face.talking.setTools('b', ['one']);
    const streams = await Promise.all(
      ['a', 'b'].map(async (group) =>
        readEvents(face.url, { headers: { ...(await sessionOf(face)), 'x-group': group } }),
      ),
    );
    face.talking.setTools('a', ['one', 'two']);
    face.talking.setTools('b', ['one']);
    face.talking.changed('tools');
    face.talking.changed('tools');
    await streams[0]?.atLeast(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(streams.map((stream) => stream.messages())).toEqual([
      [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} }],
      [],
    ]);
    for (const stream of streams) stream.cut();
  });

  it('is not told where the service does not declare it', async () => {
    const face = await start();
    const headers = await sessionOf(face);
    const reader = await readEvents(face.url, { headers });
    face.talking.changed('prompts');
    face.talking.setTools('', []);
    face.talking.changed('tools');
    expect(await reader.atLeast(1)).toHaveLength(1);
    reader.cut();
    await until(() => face.mcp.stats().streams === 0);
    face.talking.changed('tools');
  });
});
