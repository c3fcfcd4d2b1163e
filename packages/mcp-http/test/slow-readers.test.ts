import { describe, expect, it } from 'vitest';
import { start, type InteractiveEndpoint } from './endpoint.ts';
import { call, ENVELOPE, rawGet, rawRequest, rawSocket, rpc, until } from './wire-client.ts';

const LONG = 'x'.repeat(100_000);

/** Sends long messages until the connection of the reader is closed; a reader that stays connected receives more than this. */
const MOST_BYTES = 100_000_000;

const startSlow = (): Promise<InteractiveEndpoint> =>
  start({ limits: { maxUnreadBytes: 500_000, keepAliveMs: 100 } });

/** Sends a request and reads nothing. Returns a function that says something until a condition holds, and expects the end of the connection. */
const stop = async (endpoint: InteractiveEndpoint, request: string) => {
  const socket = await rawSocket(endpoint);
  socket.pause().write(request);
  return async (isOver: () => boolean, say: () => void): Promise<void> => {
    await until(() => {
      for (let at = 0; at < 10; at += 1) say();
      return isOver();
    });
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await new Promise((resolve) => socket.once('close', resolve).resume());
    expect(bytes).toBeLessThan(MOST_BYTES);
  };
};

describe('a reader that stops reading', () => {
  it('of a stream of its session loses updates, then the stream', async () => {
    const endpoint = await startSlow();
    const { post, stats, interactive } = endpoint;
    const headers = await endpoint.startSession({ revision: '2025-06-18' });
    const line = `Mcp-Session-Id: ${headers['mcp-session-id']}`;
    const sayUntil = await stop(endpoint, rawGet([line]));
    await until(() => stats().streams === 1);
    await post(rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    const say = (): void => interactive.update('file:///a', { LONG });
    await sayUntil(() => stats().streams === 0, say);
    expect((await post(rpc('ping'), headers)).status).toBe(200);
  });

  it('of the stream of its call loses progress, then the call', async () => {
    const endpoint = await startSlow();
    const { waiting, aborted } = endpoint.interactive;
    const body = JSON.stringify(call('wait', {}, { progressToken: 't' }));
    const sayUntil = await stop(endpoint, rawRequest([], body));
    await endpoint.untilWaiting(1);
    const say = (): void => waiting[0]?.onProgress?.({ progress: 1, message: LONG });
    await sayUntil(() => aborted.length === 1, say);
  });

  it('of a listening client loses updates, then the stream', async () => {
    const endpoint = await startSlow();
    const { followed, update } = endpoint.interactive;
    const notifications = { resourceSubscriptions: ['file:///a'] };
    const body = JSON.stringify(rpc('subscriptions/listen', { notifications, _meta: ENVELOPE }));
    const lines = ['Mcp-Protocol-Version: 2026-07-28', 'Mcp-Method: subscriptions/listen'];
    const sayUntil = await stop(endpoint, rawRequest(lines, body));
    await until(() => followed().length === 1);
    await sayUntil(
      () => followed().length === 0,
      () => update('file:///a', { LONG }),
    );
  });
});
