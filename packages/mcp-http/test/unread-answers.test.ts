import { afterEach, describe, expect, it } from 'vitest';
import type { Socket } from 'node:net';
import { UnreadAnswers } from '../src/wire/incoming-exchange.ts';
import { startHttpEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import { BOTH, call, post, rawRequest, rawSocket, rpc, until } from './wire-client.ts';

const MIB = 1024 * 1024;
const endpoints: Endpoint[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.drain(0)));
});

const start = async (limits: EndpointOptions['limits'] = {}): Promise<Endpoint> => {
  const endpoint = await startHttpEndpoint({
    limits: { maxUnreadAnswerBytes: 20 * MIB, slowReaderMs: 60_000, ...limits },
  });
  endpoints.push(endpoint);
  return endpoint;
};

/** More than the buffers of a loopback connection take. */
const BIG_CALL = call('big', { bytes: 16 * MIB });

/** Requests an answer of 16 MiB and does not read it. */
const leaveUnread = async (endpoint: Endpoint, requests = 1): Promise<Socket> => {
  const socket = await rawSocket(endpoint);
  sockets.push(socket.pause());
  socket.write(rawRequest([], JSON.stringify(BIG_CALL)).repeat(requests));
  return socket;
};

const REFUSAL = {
  jsonrpc: '2.0',
  id: 1,
  error: {
    code: -32000,
    message: 'Too many unread answers at once: the limit of 20971520 bytes is reached; retry later',
    data: { reason: 'answers-full', limit: 20971520 },
  },
};

describe('answers that clients do not read', () => {
  it('are refused with 503 over the limit of bytes; small answers are written', async () => {
    const endpoint = await start();
    await leaveUnread(endpoint);
    await until(() => endpoint.stats().unreadBytes > 4 * MIB);
    const refused = await post(endpoint.url, BIG_CALL);
    expect([refused.status, refused.headers['retry-after'], refused.json]).toEqual([
      503,
      '1',
      REFUSAL,
    ]);
    expect((await post(endpoint.url, call('kilobyte'))).status).toBe(200);
    expect(endpoint.refusals).toEqual(['answers-full']);
  });

  it('are refused as an error of the stream where a stream is open', async () => {
    const endpoint = await start();
    await leaveUnread(endpoint);
    await until(() => endpoint.stats().unreadBytes > 4 * MIB);
    const refused = await post(endpoint.url, BIG_CALL, { accept: 'text/event-stream' });
    expect([refused.status, refused.text]).toEqual([
      200,
      `event: message\ndata: ${JSON.stringify(REFUSAL)}\n\n`,
    ]);
  });

  it('are refused with 503 for a batch that is too long for a text', async () => {
    const endpoint = await start();
    const items = [{ name: 'long', description: 'x'.repeat(9 * MIB) }];
    Object.assign(endpoint.sample.service, { list: () => ({ ok: true, items }) });
    const refused = await post(endpoint.url, Array(64).fill(rpc('tools/list')));
    expect([refused.status, refused.json]).toEqual([503, { ...REFUSAL, id: null }]);
    expect(endpoint.errors).toEqual([]);
    expect((await post(endpoint.url, [rpc('tools/list')])).status).toBe(200);
  });

  it('lose their connection to a later answer when they are slow', async () => {
    const endpoint = await start({ slowReaderMs: 0 });
    await leaveUnread(endpoint);
    await until(() => endpoint.stats().unreadBytes > 4 * MIB);
    const answer = await post(endpoint.url, BIG_CALL, { accept: BOTH });
    expect([answer.status, answer.text.length > 16 * MIB]).toEqual([200, true]);
    await until(() => endpoint.requests.length === 2);
  });

  it('are counted for every request of one connection', async () => {
    const endpoint = await start();
    await leaveUnread(endpoint, 3);
    await until(() => endpoint.refusals.length === 2);
    expect(endpoint.stats().unreadBytes).toBeLessThan(17 * MIB);
  });

  it('do not count once they are read', async () => {
    const endpoint = await start();
    for (let at = 0; at < 2; at += 1) {
      expect((await post(endpoint.url, BIG_CALL)).status).toBe(200);
    }
    await until(() => endpoint.stats().unreadBytes === 0);
  });
});

describe('large answers', () => {
  it.each([
    ['texts', 20 * MIB],
    ['bytes', 2 * MIB],
  ])('are written unchanged as %s, whatever their characters', async (_, limit) => {
    const endpoint = await start({ maxUnreadAnswerBytes: limit });
    for (const character of ['x', 'é', '€', '\u{1f600}']) {
      const text = character + 'x'.repeat(300_000);
      const { status, json } = await post(endpoint.url, call('echo', { text }));
      expect([status, JSON.stringify(json).includes(text)]).toEqual([200, true]);
    }
  });

  it('are held as texts up to an eighth of the limit of unread bytes', () => {
    const unread = new UnreadAnswers({ maxUnreadAnswerBytes: 800, slowReaderMs: 1_000 });
    expect([unread.admitsText(100), unread.admitsText(101)]).toEqual([true, false]);
  });
});
