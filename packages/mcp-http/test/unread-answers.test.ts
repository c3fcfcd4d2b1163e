import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UnreadAnswers } from '../src/wire/incoming-exchange.ts';
import { startSample, type Endpoint, type EndpointOptions } from './endpoint.ts';
import { call, rawRequest, rawSocket, rpc, until } from './wire-client.ts';

const MIB = 1024 * 1024;

const start = (limits: EndpointOptions['limits'] = {}): Promise<Endpoint> =>
  startSample({ limits: { maxUnreadAnswerBytes: 20 * MIB, slowReaderMs: 60_000, ...limits } });

/** More than the buffers of a loopback connection take. */
const BIG_CALL = call('big', { bytes: 16 * MIB });

/** An endpoint with requests of a client for answers of 16 MiB, which it does not read. */
const startUnread = async (limits?: EndpointOptions['limits'], requests = 1): Promise<Endpoint> => {
  const endpoint = await start(limits);
  const socket = await rawSocket(endpoint);
  onTestFinished(() => void socket.destroy());
  socket.pause().write(rawRequest([], JSON.stringify(BIG_CALL)).repeat(requests));
  await until(() => endpoint.stats().unreadBytes > 4 * MIB);
  return endpoint;
};

const message =
  'Too many unread answers at once: the limit of 20971520 bytes is reached; retry later';
const data = { reason: 'answers-full', limit: 20971520 };
const REFUSAL = { jsonrpc: '2.0', id: 1, error: { code: -32000, message, data } };

describe('answers that clients do not read', () => {
  it('are refused with 503 over the limit of bytes; small answers are written', async () => {
    const { post, refusals } = await startUnread();
    const refused = await post(BIG_CALL);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(refused.json).toEqual(REFUSAL);
    expect((await post(call('kilobyte'))).status).toBe(200);
    expect(refusals).toEqual(['answers-full']);
    const streamed = await post(BIG_CALL, { accept: 'text/event-stream' });
    const event = `event: message\ndata: ${JSON.stringify(REFUSAL)}\n\n`;
    expect([streamed.status, streamed.text]).toEqual([200, event]);
  });

  it('are refused with 503 for a batch that is too long for a text', async () => {
    const { post, sample, errors } = await start();
    const items = [{ name: 'long', description: 'x'.repeat(9 * MIB) }];
    Object.assign(sample.service, { list: () => ({ ok: true, items }) });
    const refused = await post(Array(64).fill(rpc('tools/list')));
    expect([refused.status, refused.json]).toEqual([503, { ...REFUSAL, id: null }]);
    expect(errors).toEqual([]);
    expect((await post([rpc('tools/list')])).status).toBe(200);
  });

  it('lose their connection to a later answer when they are slow', async () => {
    const { post, requests } = await startUnread({ slowReaderMs: 0 });
    const { status, text } = await post(BIG_CALL);
    expect([status, text.length > 16 * MIB]).toEqual([200, true]);
    await until(() => requests.length === 2);
  });

  it('are counted for every request of one connection', async () => {
    const { refusals, stats } = await startUnread({}, 3);
    await until(() => refusals.length === 2);
    expect(stats().unreadBytes).toBeLessThan(17 * MIB);
  });

  it('do not count once they are read', async () => {
    const { post, stats } = await start();
    for (let at = 0; at < 2; at += 1) expect((await post(BIG_CALL)).status).toBe(200);
    await until(() => stats().unreadBytes === 0);
  });
});

describe('large answers', () => {
  it.each([
    ['texts', 20 * MIB],
    ['bytes', 2 * MIB],
  ])('are written unchanged as %s, whatever their characters', async (_, limit) => {
    const { post } = await start({ maxUnreadAnswerBytes: limit });
    for (const character of ['x', 'é', '€', '\u{1f600}']) {
      const text = character + 'x'.repeat(300_000);
      const { status, json } = await post(call('echo', { text }));
      expect([status, JSON.stringify(json).includes(text)]).toEqual([200, true]);
    }
  });

  it('are held as texts up to an eighth of the limit of unread bytes', () => {
    const unread = new UnreadAnswers({ maxUnreadAnswerBytes: 800, slowReaderMs: 1_000 });
    expect([unread.admitsText(100), unread.admitsText(101)]).toEqual([true, false]);
  });
});

it('a stream whose reader lags and catches up many times has as many listeners as before', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requested = once(server, 'request');
  const client = get({ port, host: '127.0.0.1' }, (answer) => answer.resume());
  onTestFinished(() => {
    client.on('error', () => undefined).destroy();
    server.close();
  });
  const [, response] = (await requested) as [IncomingMessage, ServerResponse];
  const unread = new UnreadAnswers({ maxUnreadAnswerBytes: 64 * MIB, slowReaderMs: 60_000 });
  const listeners = () => response.listenerCount('close') + response.listenerCount('drain');
  const before = listeners();
  for (let times = 0; times < 20; times += 1) {
    expect(response.write(Buffer.alloc(MIB))).toBe(false);
    const drained = once(response, 'drain');
    unread.follow(response);
    expect(unread.bytes).toBeGreaterThan(0);
    await drained;
    expect(unread.bytes).toBe(0);
  }
  expect(listeners()).toBe(before);
});
