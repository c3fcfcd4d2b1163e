import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { UnreadAnswers } from '../src/wire/incoming-exchange.ts';

const CHUNK = Buffer.alloc(1024 * 1024);

/** Opens a response whose client reads everything. */
const openResponse = async (): Promise<ServerResponse> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requested = once(server, 'request');
  const client = get(`http://127.0.0.1:${String(port)}/`, (answer: IncomingMessage) => {
    answer.resume();
  });
  const [, response] = (await requested) as [IncomingMessage, ServerResponse];
  onTestFinished(() => {
    client.on('error', () => undefined).destroy();
    server.close();
  });
  return response;
};

it('a stream whose reader lags and catches up many times has as many listeners as before', async () => {
  const unread = new UnreadAnswers({
    maxUnreadAnswerBytes: 64 * 1024 * 1024,
    slowReaderMs: 60_000,
  });
  const response = await openResponse();
  const listeners = () => response.listenerCount('close') + response.listenerCount('drain');
  const before = listeners();
  for (let times = 0; times < 20; times += 1) {
    expect(response.write(CHUNK)).toBe(false);
    const drained = once(response, 'drain');
    unread.follow(response);
    expect(unread.bytes).toBeGreaterThan(0);
    await drained;
    expect(unread.bytes).toBe(0);
  }
  expect(listeners()).toBe(before);
});
