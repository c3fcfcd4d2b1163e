import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { BOTH, call, ENVELOPE, openSession, post, rawSocket, rpc, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
afterEach(end);

const LIMITS = { maxUnreadBytes: 500_000, keepAliveMs: 100 };
const LONG = 'x'.repeat(100_000);

/** Sends long messages until the connection of the reader is closed; a reader that stays connected receives more than this. */
const MOST_BYTES = 100_000_000;

const sayUntil = async (isOver: () => boolean, say: () => void): Promise<void> => {
  await until(() => {
    for (let at = 0; at < 10; at += 1) say();
    return isOver();
  });
};

const stopped = async (
  endpoint: InteractiveEndpoint,
  lines: readonly string[],
  body = '',
): Promise<Socket> => {
  const socket = await rawSocket(endpoint);
  socket.pause();
  const head = [
    `${body === '' ? 'GET' : 'POST'} /mcp HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Accept: ${BOTH}`,
    ...lines,
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
};

const isCut = async (socket: Socket): Promise<number> => {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => {
    socket.once('close', resolve).resume();
  });
  return bytes;
};

describe('a reader that stops reading', () => {
  it('of a stream of its session loses updates, then the stream', async () => {
    const endpoint = await start({ limits: LIMITS });
    const session = await openSession(endpoint.url);
    const headers = { 'mcp-session-id': session };
    const socket = await stopped(endpoint, [`Mcp-Session-Id: ${session}`]);
    await until(() => endpoint.mcp.stats().streams === 1);
    await post(endpoint.url, rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    const say = (): void => endpoint.interactive.update('file:///a', { LONG });
    await sayUntil(() => endpoint.mcp.stats().streams === 0, say);
    expect(await isCut(socket)).toBeLessThan(MOST_BYTES);
    expect((await post(endpoint.url, rpc('ping'), headers)).status).toBe(200);
  });

  it('of the stream of its call loses progress, then the call', async () => {
    const endpoint = await start({ limits: LIMITS });
    const body = JSON.stringify(call('wait', {}, { progressToken: 't' }));
    const socket = await stopped(endpoint, [], body);
    await until(() => endpoint.interactive.waiting.length === 1);
    const say = (): void =>
      endpoint.interactive.waiting[0]?.onProgress?.({ progress: 1, message: LONG });
    await sayUntil(() => endpoint.interactive.aborted.length === 1, say);
    expect(await isCut(socket)).toBeLessThan(MOST_BYTES);
  });

  it('of a listening client loses updates, then the stream', async () => {
    const endpoint = await start({ limits: LIMITS });
    const notifications = { resourceSubscriptions: ['file:///a'] };
    const params = { notifications, _meta: ENVELOPE };
    const socket = await stopped(
      endpoint,
      ['Mcp-Protocol-Version: 2026-07-28', 'Mcp-Method: subscriptions/listen'],
      JSON.stringify(rpc('subscriptions/listen', params)),
    );
    await until(() => endpoint.interactive.followed().length === 1);
    const say = (): void => endpoint.interactive.update('file:///a', { LONG });
    await sayUntil(() => endpoint.interactive.followed().length === 0, say);
    expect(await isCut(socket)).toBeLessThan(MOST_BYTES);
  });
});
