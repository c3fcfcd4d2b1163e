import type { Socket } from 'node:net';
import { Session } from 'node:inspector/promises';
import { describe, expect, it } from 'vitest';
import { startHttpEndpoint } from '../endpoint.ts';
import { call, openSession, rawRequest, rawSocket, rpc } from '../wire-client.ts';

const WARM_UP = 2_000;
const REQUESTS = 10_000;
const PIPELINED = 50;
const MAX_GROWTH_BYTES = 2 * 1024 * 1024;

const heapAfterCollection = async (inspector: Session): Promise<number> => {
  await inspector.post('HeapProfiler.collectGarbage');
  return process.memoryUsage().heapUsed;
};

const bodies: readonly string[] = [
  call('echo', { text: 'x'.repeat(500) }),
  call('echo', {}, { progressToken: 1, traceparent: '00' }),
  call('nobody'),
  call('throw'),
  rpc('tools/list'),
  rpc('nothing'),
].map((body) => JSON.stringify(body));

const toolsets: readonly string[] = ['server:a', ',,,', 'tool:x_y, preset:none', ''];

/** Sends requests over one connection, in groups, and waits for the answers of each group. */
const sendMany = async (socket: Socket, session: string, count: number): Promise<void> => {
  for (let sent = 0; sent < count; sent += PIPELINED) {
    const requests = Array.from({ length: PIPELINED }, (_, at) =>
      rawRequest(
        [
          `Mcp-Session-Id: ${session}`,
          `X-Gateway-Toolset: ${toolsets[at % toolsets.length] ?? ''}`,
        ],
        bodies[at % bodies.length],
      ),
    );
    let left = PIPELINED;
    await new Promise<void>((resolve) => {
      const onData = (chunk: Buffer): void => {
        left -= chunk.toString('latin1').split('"jsonrpc"').length - 1;
        if (left > 0) return;
        socket.off('data', onData);
        resolve();
      };
      socket.on('data', onData).write(requests.join(''));
    });
  }
};

describe('10,000 requests over one session', () => {
  it('leave the heap as large as it was after the first ones', async () => {
    const inspector = new Session();
    inspector.connect();
    const endpoint = await startHttpEndpoint();
    const session = await openSession(endpoint.url);
    const socket = await rawSocket(endpoint);
    await sendMany(socket, session, WARM_UP);
    endpoint.errors.length = 0;
    const before = await heapAfterCollection(inspector);
    await sendMany(socket, session, REQUESTS);
    endpoint.errors.length = 0;
    const after = await heapAfterCollection(inspector);
    inspector.disconnect();
    expect(after - before).toBeLessThan(MAX_GROWTH_BYTES);
    expect(endpoint.stats()).toEqual({
      sessions: 1,
      streams: 0,
      inFlight: 0,
      queuedCalls: 0,
      bufferedBodyBytes: 0,
      unreadBytes: 0,
    });
    await endpoint.drain(0);
  });
});
