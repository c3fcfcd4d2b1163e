import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import { interactiveEndpoints, type InteractiveEndpoint } from './interactive-endpoint.ts';
import { ENVELOPE, BOTH, openSession, post, rpc, send, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await end();
});

const LONG = 'x'.repeat(100_000);

interface OpenedStream {
  readonly socket: Socket;
  /** The answer so far. */
  readonly text: () => string;
  readonly status: number;
}

/** Sends a request on a connection of its own and resolves with the beginning of the answer. */
const opened = async (
  { port }: InteractiveEndpoint,
  request: string,
  localAddress: string,
): Promise<OpenedStream> => {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  sockets.push(socket);
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
  await once(socket, 'connect');
  socket.write(request);
  await until(() => text.includes('\r\n\r\n'));
  return { socket, text: () => text, status: Number(text.slice(9, 12)) };
};

/** Opens the `GET` stream of a new session. */
const openStream = async (
  endpoint: InteractiveEndpoint,
  localAddress = '127.0.0.1',
  session?: string,
): Promise<OpenedStream> => {
  const id = session ?? (await openSession(endpoint.url, '2025-06-18'));
  const head = ['GET /mcp HTTP/1.1', 'Host: localhost', `Mcp-Session-Id: ${id}`];
  return opened(
    endpoint,
    [...head, 'Accept: text/event-stream', '', ''].join('\r\n'),
    localAddress,
  );
};

/** Opens a `subscriptions/listen` stream. */
const listen = async (
  endpoint: InteractiveEndpoint,
  localAddress = '127.0.0.1',
): Promise<OpenedStream> => {
  const notifications = { toolsListChanged: true };
  const body = JSON.stringify(rpc('subscriptions/listen', { notifications, _meta: ENVELOPE }));
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Accept: ${BOTH}`,
    'Mcp-Protocol-Version: 2026-07-28',
    'Mcp-Method: subscriptions/listen',
    `Content-Length: ${body.length.toString()}`,
  ];
  return opened(endpoint, [...head, '', body].join('\r\n'), localAddress);
};

describe('streams of one address', () => {
  it('are refused with 429 over the limit of the address, and other addresses are served', async () => {
    const refusals: string[] = [];
    const endpoint = await start({
      limits: { maxStreamsPerCaller: 2 },
      onRefusal: (code) => refusals.push(code),
    });
    expect((await openStream(endpoint)).status).toBe(200);
    expect((await listen(endpoint)).status).toBe(200);
    const refused = await openStream(endpoint);
    expect([refused.status, /Retry-After: (\d+)/i.exec(refused.text())?.[1]]).toEqual([429, '1']);
    expect(refused.text()).toContain(
      JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32000,
          message: 'Too many event streams of one caller: the limit of 2 is reached; retry later',
          data: { reason: 'caller-streams-full', limit: 2 },
        },
      }),
    );
    expect((await listen(endpoint)).status).toBe(429);
    expect((await openStream(endpoint, '127.0.0.2')).status).toBe(200);
    expect(refusals).toEqual(['caller-streams-full', 'caller-streams-full']);
  });

  it('are counted while they are open', async () => {
    let requests = 0;
    const endpoint = await start({
      limits: { maxStreamsPerCaller: 1 },
      onRequest: () => (requests += 1),
    });
    const first = await listen(endpoint);
    first.socket.destroy();
    await until(() => requests === 1);
    expect((await openStream(endpoint)).status).toBe(200);
  });
});

describe('streams of all addresses', () => {
  it('are refused with 503 when the address has as many as any other', async () => {
    const endpoint = await start({ limits: { maxStreams: 2 } });
    expect((await openStream(endpoint, '127.0.0.2')).status).toBe(200);
    expect((await openStream(endpoint, '127.0.0.3')).status).toBe(200);
    const refused = await openStream(endpoint, '127.0.0.4');
    expect(refused.status).toBe(503);
    expect(refused.text()).toContain(
      'Too many event streams: the limit of 2 is reached; retry later',
    );
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

  it('leave calls served', async () => {
    const endpoint = await start({ limits: { maxStreams: 1 } });
    await openStream(endpoint);
    expect((await openStream(endpoint)).status).toBe(503);
    expect((await post(endpoint.url, rpc('ping'))).status).toBe(200);
  });
});

describe('the streams of an evicted session', () => {
  it('are closed', async () => {
    const endpoint = await start({ limits: { maxSessions: 1 } });
    const session = await openSession(endpoint.url);
    const stream = await openStream(endpoint, '127.0.0.1', session);
    await openSession(endpoint.url);
    await until(() => stream.text().endsWith('0\r\n\r\n'));
    expect(endpoint.mcp.stats()).toMatchObject({ sessions: 1, streams: 0 });
  });

  it('are closed with their connection when the client does not read', async () => {
    const methods: string[] = [];
    const endpoint = await start({
      limits: { maxSessions: 1, writeTimeoutMs: 100, maxUnreadBytes: 100_000_000 },
      onRequest: ({ method }) => methods.push(method),
    });
    const session = await openSession(endpoint.url);
    const stream = await openStream(endpoint, '127.0.0.1', session);
    stream.socket.pause();
    const headers = { 'mcp-session-id': session };
    await post(endpoint.url, rpc('resources/subscribe', { uri: 'file:///a' }), headers);
    // More than the buffers of a loopback connection take.
    for (let at = 0; at < 160; at += 1) endpoint.interactive.update('file:///a', { LONG });
    await openSession(endpoint.url);
    await until(() => methods.includes('GET'));
  });

  it('are served again when its client comes back', async () => {
    const endpoint = await start({ limits: { maxSessions: 1, sessionRestMs: 0 } });
    const session = await openSession(endpoint.url);
    await openSession(endpoint.url);
    const stream = await openStream(endpoint, '127.0.0.1', session);
    expect(stream.status).toBe(200);
    const headers = { 'mcp-session-id': session };
    expect((await send(endpoint.url, { method: 'DELETE', headers })).status).toBe(204);
    await until(() => stream.text().endsWith('0\r\n\r\n'));
  });
});
