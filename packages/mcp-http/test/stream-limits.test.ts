import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { start, type InteractiveEndpoint } from './endpoint.ts';
import { ENVELOPE, rawGet, rawRequest, rawSocket, rpc, until } from './wire-client.ts';

const LONG = 'x'.repeat(100_000);

interface OpenedStream {
  readonly socket: Socket;
  /** The answer so far. */
  readonly text: () => string;
  readonly status: number;
}

/** Sends a request on a connection of its own and resolves with the beginning of the answer. */
const open = async (
  endpoint: InteractiveEndpoint,
  request: string,
  localAddress?: string,
): Promise<OpenedStream> => {
  const socket = await rawSocket(endpoint, localAddress);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.write(request);
  await until(() => text.includes('\r\n\r\n'));
  return { socket, text: () => text, status: Number(text.slice(9, 12)) };
};

const openSession = async ({ startSession }: InteractiveEndpoint): Promise<string> =>
  (await startSession({ revision: '2025-06-18' }))['mcp-session-id'];

/** Opens the `GET` stream of a session, which is new unless it is given. */
const openStream = async (endpoint: InteractiveEndpoint, address?: string, session?: string) => {
  const id = session ?? (await openSession(endpoint));
  return open(endpoint, rawGet([`Mcp-Session-Id: ${id}`]), address);
};

/** Opens a `subscriptions/listen` stream. */
const listen = (endpoint: InteractiveEndpoint, address?: string) => {
  const lines = ['Mcp-Protocol-Version: 2026-07-28', 'Mcp-Method: subscriptions/listen'];
  const params = { notifications: { toolsListChanged: true }, _meta: ENVELOPE };
  const body = JSON.stringify(rpc('subscriptions/listen', params));
  return open(endpoint, rawRequest(lines, body), address);
};

describe('streams of one address', () => {
  it('are refused with 429 over the limit of the address, and other addresses are served', async () => {
    const endpoint = await start({ limits: { maxStreamsPerCaller: 2 } });
    expect((await openStream(endpoint)).status).toBe(200);
    expect((await listen(endpoint)).status).toBe(200);
    const refused = await openStream(endpoint);
    expect([refused.status, /Retry-After: (\d+)/i.exec(refused.text())?.[1]]).toEqual([429, '1']);
    const message = 'Too many event streams of one caller: the limit of 2 is reached; retry later';
    const data = { reason: 'caller-streams-full', limit: 2 };
    const error = { code: -32000, message, data };
    expect(refused.text()).toContain(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    expect((await listen(endpoint)).status).toBe(429);
    expect((await openStream(endpoint, '127.0.0.2')).status).toBe(200);
    expect(endpoint.refusals).toEqual(['caller-streams-full', 'caller-streams-full']);
  });

  it('are counted while they are open', async () => {
    const endpoint = await start({ limits: { maxStreamsPerCaller: 1 } });
    const first = await listen(endpoint);
    first.socket.destroy();
    await until(() => endpoint.requests.length === 1);
    expect((await openStream(endpoint)).status).toBe(200);
  });
});

describe('streams of all addresses', () => {
  it('are refused with 503 when the address has as many as any other, and calls are served', async () => {
    const endpoint = await start({ limits: { maxStreams: 2 } });
    expect((await openStream(endpoint, '127.0.0.2')).status).toBe(200);
    expect((await openStream(endpoint, '127.0.0.3')).status).toBe(200);
    const refused = await openStream(endpoint, '127.0.0.4');
    expect(refused.status).toBe(503);
    expect(refused.text()).toContain(
      'Too many event streams: the limit of 2 is reached; retry later',
    );
    expect((await endpoint.post(rpc('ping'))).status).toBe(200);
  });

  it('give one of the address that has the most to another address', async () => {
    const endpoint = await start({ limits: { maxStreams: 3 } });
    const flood = [
      await openStream(endpoint, '127.0.0.2'),
      await listen(endpoint, '127.0.0.2'),
      await openStream(endpoint, '127.0.0.2'),
    ];
    expect((await openStream(endpoint, '127.0.0.3')).status).toBe(200);
    await until(() => flood[0]?.socket.closed === true);
    expect(flood.map(({ socket }) => socket.closed)).toEqual([true, false, false]);
    expect((await openStream(endpoint, '127.0.0.2')).status).toBe(503);
  });

  it('are limited before the streams of subscriptions/listen alone, whose limit takes none from another address', () => {
    const { maxStreams, maxListenStreams } = DEFAULT_MCP_HTTP_LIMITS;
    expect(maxListenStreams).toBeGreaterThan(maxStreams);
  });
});

describe('the streams of an evicted session', () => {
  it('are closed, and served again when its client comes back', async () => {
    const endpoint = await start({ limits: { maxSessions: 1, sessionRestMs: 0 } });
    const session = await openSession(endpoint);
    const stream = await openStream(endpoint, undefined, session);
    await openSession(endpoint);
    await until(() => stream.text().endsWith('0\r\n\r\n'));
    expect(endpoint.stats()).toMatchObject({ sessions: 1, streams: 0 });
    const again = await openStream(endpoint, undefined, session);
    expect(again.status).toBe(200);
    const headers = { 'mcp-session-id': session };
    expect((await endpoint.send({ method: 'DELETE', headers })).status).toBe(204);
    await until(() => again.text().endsWith('0\r\n\r\n'));
  });

  it('are closed with their connection when the client does not read', async () => {
    const limits = { maxSessions: 1, writeTimeoutMs: 100, maxUnreadBytes: 100_000_000 };
    const endpoint = await start({ limits });
    const session = await openSession(endpoint);
    const stream = await openStream(endpoint, undefined, session);
    stream.socket.pause();
    const headers = { 'mcp-session-id': session };
    await endpoint.post(rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    // More than the buffers of a loopback connection take.
    for (let at = 0; at < 160; at += 1) endpoint.interactive.update('file:///a', { LONG });
    await openSession(endpoint);
    await until(() => endpoint.requests.some(({ method }) => method === 'GET'));
  });
});
