import { describe, expect, it } from 'vitest';
import { start, startTwo, type InteractiveEndpoint } from './endpoint.ts';
import { call, readAnswer, tell, until, type Headers } from './wire-client.ts';

const sessionOf = ({ startSession }: InteractiveEndpoint) =>
  startSession({ revision: '2025-06-18' });

const open = async ({ post }: InteractiveEndpoint, headers: Headers, args: object = {}) =>
  readAnswer(await post(call('channel', args), headers));

const news = (day: number) => ({ method: 'notifications/x/news', params: { day } });

/** The message of a channel's news. */
const sent = (day: number) => tell('notifications/x/news', { day });

const tellAll = ({ interactive }: InteractiveEndpoint, day: number): void => {
  for (const channel of interactive.channels) channel.notify(news(day));
};

describe('a channel to a session', () => {
  it('notifies the newest stream of the session after the call, and no other session', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const others = await sessionOf(endpoint);
    const reader = await endpoint.readEvents(headers);
    const other = await endpoint.readEvents(others);
    expect(await open(endpoint, headers)).toBe('opened');
    tellAll(endpoint, 1);
    tellAll(endpoint, 2);
    expect(await reader.atLeast(2)).toEqual([sent(1), sent(2)]);
    expect(other.messages()).toEqual([]);
  });

  it('waits a moment for a client that opens its stream only now', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const opened = open(endpoint, headers);
    const reader = await endpoint.readEvents(headers);
    expect(await opened).toBe('opened');
    tellAll(endpoint, 1);
    await reader.atLeast(1);
  });

  it('is not opened without a stream, without a session, and for 2026-07-28', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const [alone, stateless] = await Promise.all([open(endpoint, headers), open(endpoint, {})]);
    expect([alone, stateless]).toEqual(['no-stream', 'no-session']);
    const modern = await endpoint.postModern('tools/call', { name: 'channel' });
    expect(readAnswer(modern)).toBe('no-session');
    expect(endpoint.interactive.channels.size).toBe(0);
  });

  it('replaces the one of its name, and not one of another name', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await endpoint.readEvents(headers);
    await open(endpoint, headers, { name: 'weather' });
    await open(endpoint, headers);
    const { channels } = endpoint.interactive;
    const [weather, first] = [...channels];
    await open(endpoint, headers);
    expect([...channels].map((channel) => [weather, first].indexOf(channel))).toEqual([0, -1]);
    first?.notify(news(1));
    weather?.notify(news(2));
    expect(await reader.atLeast(1)).toEqual([sent(2)]);
  });

  it('closes with its session, and survives a stream that is reopened', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const first = await endpoint.readEvents(headers);
    await open(endpoint, headers);
    await first.cut();
    await until(() => endpoint.stats().streams === 0);
    tellAll(endpoint, 1);
    const second = await endpoint.readEvents(headers);
    tellAll(endpoint, 2);
    expect(await second.atLeast(1)).toEqual([sent(2)]);
    await endpoint.send({ method: 'DELETE', headers });
    expect(endpoint.interactive.channels.size).toBe(0);
  });

  it('drops a notification that cannot be written as JSON', async () => {
    const endpoint = await start();
    const headers = await sessionOf(endpoint);
    const reader = await endpoint.readEvents(headers);
    await open(endpoint, headers);
    for (const channel of endpoint.interactive.channels)
      channel.notify({ method: 'x', params: { big: 1n } });
    tellAll(endpoint, 1);
    expect(await reader.atLeast(1)).toEqual([sent(1)]);
    expect(endpoint.errors).toEqual([]);
  });
});

describe('a channel of a session that several processes serve', () => {
  it('reaches the process of the stream, in order', async () => {
    const { one, two } = await startTwo();
    const headers = await sessionOf(one);
    const reader = await two.readEvents(headers);
    expect(await open(one, headers)).toBe('opened');
    for (let day = 1; day <= 20; day += 1) tellAll(one, day);
    const days = (await reader.atLeast(20)).map(({ params }) => params.day as number);
    expect(days).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it('is one of its name over all of them, and ends with the session everywhere', async () => {
    const { one, two } = await startTwo();
    const headers = await sessionOf(one);
    await two.readEvents(headers);
    await open(one, headers);
    await open(two, headers);
    await until(() => one.interactive.channels.size === 0);
    expect(two.interactive.channels.size).toBe(1);
    await one.send({ method: 'DELETE', headers });
    await until(() => two.interactive.channels.size === 0);
  });

  it('outlives the idle time of the process where it was opened while its stream is open elsewhere', async () => {
    const limits = { peerTimeoutMs: 200, sessionIdleMs: 50 };
    const { one, two, bus } = await startTwo({ limits });
    const headers = await sessionOf(one);
    const reader = await two.readEvents(headers);
    await open(one, headers);
    await until(() => bus.sent.filter((text) => text.includes('session-used')).length > 2);
    tellAll(one, 1);
    await reader.atLeast(1);
  });
});
