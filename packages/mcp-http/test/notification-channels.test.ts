import { afterEach, describe, expect, it } from 'vitest';
import { readEvents } from './event-reader.ts';
import { memoryBus } from './peer-bus.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { call, post, postModern, rpc, send, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

type Headers = Readonly<Record<string, string>>;

const sessionOf = async (
  endpoint: InteractiveEndpoint,
  protocolVersion = '2025-06-18',
): Promise<Headers> => {
  const answer = await post(endpoint.url, rpc('initialize', { protocolVersion, capabilities: {} }));
  return {
    'mcp-session-id': String(answer.headers['mcp-session-id']),
    'mcp-protocol-version': protocolVersion,
  };
};

const textOf = async (
  endpoint: InteractiveEndpoint,
  headers: Headers,
  args: object = {},
): Promise<unknown> => {
  const { json } = await post(endpoint.url, call('channel', args), headers);
  return JSON.parse(json.result.content[0].text) as unknown;
};

const news = (day: number) => ({ method: 'notifications/x/news', params: { day } });

const tellAll = ({ interactive }: InteractiveEndpoint, day: number): void => {
  for (const channel of interactive.channels) channel.notify(news(day));
};

describe('a channel to a session', () => {
  it('notifies the newest stream of the session after the call, and no other session', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const others = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers });
    const other = await readEvents(endpoint.url, { headers: others });
    expect(await textOf(endpoint, headers)).toBe('opened');
    tellAll(endpoint, 1);
    tellAll(endpoint, 2);
    expect(await reader.atLeast(2)).toEqual([
      { jsonrpc: '2.0', ...news(1) },
      { jsonrpc: '2.0', ...news(2) },
    ]);
    expect(other.messages()).toEqual([]);
  });

  it('waits a moment for a client that opens its stream only now', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const opened = textOf(endpoint, headers);
    const reader = await readEvents(endpoint.url, { headers });
    expect(await opened).toBe('opened');
    tellAll(endpoint, 1);
    await reader.atLeast(1);
  });

  it('is not opened without a stream, without a session, and for 2026-07-28', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const [alone, stateless] = await Promise.all([textOf(endpoint, headers), textOf(endpoint, {})]);
    expect([alone, stateless]).toEqual(['no-stream', 'no-session']);
    const { json } = await postModern(endpoint.url, 'tools/call', { name: 'channel' });
    expect(json.result.content[0].text).toBe('"no-session"');
    expect(endpoint.interactive.channels.size).toBe(0);
  });

  it('replaces the one of its name, and not one of another name', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers });
    await textOf(endpoint, headers, { name: 'weather' });
    await textOf(endpoint, headers);
    const [weather, first] = [...endpoint.interactive.channels];
    await textOf(endpoint, headers);
    expect(endpoint.interactive.channels.size).toBe(2);
    expect(
      [weather, first].map(
        (channel) => channel !== undefined && endpoint.interactive.channels.has(channel),
      ),
    ).toEqual([true, false]);
    first?.notify(news(1));
    weather?.notify(news(2));
    expect(await reader.atLeast(1)).toEqual([{ jsonrpc: '2.0', ...news(2) }]);
  });

  it('closes with its session, and survives a stream that is reopened', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const first = await readEvents(endpoint.url, { headers });
    await textOf(endpoint, headers);
    first.cut();
    await until(() => endpoint.mcp.stats().streams === 0);
    tellAll(endpoint, 1);
    const second = await readEvents(endpoint.url, { headers });
    tellAll(endpoint, 2);
    expect(await second.atLeast(1)).toEqual([{ jsonrpc: '2.0', ...news(2) }]);
    await send(endpoint.url, { method: 'DELETE', headers });
    expect(endpoint.interactive.channels.size).toBe(0);
  });

  it('drops a notification that cannot be written as JSON', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await readEvents(endpoint.url, { headers });
    await textOf(endpoint, headers);
    for (const channel of endpoint.interactive.channels)
      channel.notify({ method: 'x', params: { big: 1n } });
    tellAll(endpoint, 1);
    expect(await reader.atLeast(1)).toEqual([{ jsonrpc: '2.0', ...news(1) }]);
    expect(endpoint.errors).toEqual([]);
  });
});

describe('a channel of a session that several processes serve', () => {
  const startTwo = async () => {
    const bus = memoryBus();
    const options = { sessionKey: Buffer.alloc(32, 3), limits: { peerTimeoutMs: 500 } };
    const one = await start({ ...options, peers: bus.join('one') });
    return { one, two: await start({ ...options, peers: bus.join('two') }) };
  };

  it('reaches the process of the stream, in order', async () => {
    const { one, two } = await startTwo();
    const headers = await sessionOf(one);
    const reader = await readEvents(two.url, { headers });
    expect(await textOf(one, headers)).toBe('opened');
    for (let day = 1; day <= 20; day += 1) tellAll(one, day);
    const days = (await reader.atLeast(20)).map(({ params }) => params.day as number);
    expect(days).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  });

  it('is one of its name over all of them, and ends with the session everywhere', async () => {
    const { one, two } = await startTwo();
    const headers = await sessionOf(one);
    await readEvents(two.url, { headers });
    await textOf(one, headers);
    await textOf(two, headers);
    await until(() => one.interactive.channels.size === 0);
    expect(two.interactive.channels.size).toBe(1);
    await send(one.url, { method: 'DELETE', headers });
    await until(() => two.interactive.channels.size === 0);
  });

  it('outlives the idle time of the process where it was opened while its stream is open elsewhere', async () => {
    const bus = memoryBus();
    const limits = { peerTimeoutMs: 200, sessionIdleMs: 50 };
    const options = { sessionKey: Buffer.alloc(32, 3), limits };
    const one = await start({ ...options, peers: bus.join('one') });
    const two = await start({ ...options, peers: bus.join('two') });
    const headers = await sessionOf(one);
    const reader = await readEvents(two.url, { headers });
    await textOf(one, headers);
    await until(() => bus.sent.filter((text) => text.includes('session-used')).length > 2);
    tellAll(one, 1);
    await reader.atLeast(1);
  });
});
