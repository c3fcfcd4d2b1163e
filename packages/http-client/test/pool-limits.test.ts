import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '@gateway/repo-checks';
import { poolOf, POST, send, startRaw } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ok = { status: 200, body: 'ok' };

/** A server that answers on command. */
const startHeld = async (): Promise<RawServer & { readonly asked: Socket[] }> => {
  const asked: Socket[] = [];
  const server = await startRaw((socket) => asked.push(socket));
  return { ...server, asked };
};

const never = (name: string) => () => {
  throw new Error(`${name} was called`);
};

/** Fails the test when it is called. */
const SILENT = {
  onHead: never('onHead'),
  onData: never('onData'),
  onEnd: never('onEnd'),
  onFailure: never('onFailure'),
};

describe('a pool', () => {
  it('has no more connections than its maximum, and requests wait in order', async () => {
    const { origin, asked, sockets } = await startHeld();
    const pool = poolOf(origin, { maxConnections: 2 });
    const order: number[] = [];
    const outcomes = [0, 1, 2, 3, 4].map(async (index) => {
      const outcome = await send(pool);
      order.push(index);
      return outcome;
    });
    for (let answered = 0; answered < 5; answered += 1) {
      await eventually(() => expect(asked.length).toBeGreaterThan(answered));
      asked[answered]?.write(OK);
    }
    expect(await Promise.all(outcomes)).toEqual([ok, ok, ok, ok, ok]);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(sockets).toHaveLength(2);
  });

  it('replaces a connection that is lost while requests wait', async () => {
    const { origin, asked, sockets } = await startHeld();
    const pool = poolOf(origin, { maxConnections: 1 });
    const lost = send(pool);
    const waiting = send(pool);
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.destroy();
    expect(await lost).toMatchObject({
      failure: expect.stringContaining('the server closed') as string,
    });
    await eventually(() => expect(asked).toHaveLength(2));
    asked[1]?.write(OK);
    expect(await waiting).toEqual(ok);
    expect(sockets).toHaveLength(2);
  });

  it('fails all its requests when it is closed, and later ones', async () => {
    const { origin, asked, sockets } = await startHeld();
    const pool = poolOf(origin, { maxConnections: 1 });
    const outcomes = [send(pool), send(pool)];
    await eventually(() => expect(asked).toHaveLength(1));
    pool.close();
    const closed = { failure: 'pool-closed: the connections were closed' };
    expect(await Promise.all([...outcomes, send(pool)])).toEqual([closed, closed, closed]);
    await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
    expect(pool.size).toBe(0);
  });
});

describe('an aborted request', () => {
  it('is not written when it has no connection yet', async () => {
    const { origin, asked, received } = await startHeld();
    const pool = poolOf(origin, { maxConnections: 1 });
    const first = send(pool);
    pool.request({ ...POST, path: '/aborted' }, SILENT).abort();
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.write(OK);
    expect(await first).toEqual(ok);
    expect(received.join('')).not.toContain('/aborted');
  });

  it('is not written when its connection opens later', async () => {
    const { origin, received } = await startHeld();
    const pool = poolOf(origin);
    pool.request(POST, SILENT).abort();
    await eventually(() => expect(received).toEqual(['']));
  });

  it('ends its connection, and its handler is not called any more', async () => {
    const { origin, asked } = await startHeld();
    const pool = poolOf(origin);
    const request = pool.request(POST, SILENT);
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.write(OK);
    request.abort();
    await eventually(() => expect(asked[0]?.destroyed).toBe(true));
    expect(pool.size).toBe(0);
  });

  it('that has ended does not disturb the next one on its connection', async () => {
    const { origin, asked, sockets } = await startHeld();
    const pool = poolOf(origin);
    const first = await new Promise<{ abort: () => void }>((resolve) => {
      const request = pool.request(POST, {
        ...SILENT,
        onHead: () => undefined,
        onData: () => undefined,
        onEnd: () => resolve(request),
      });
      void eventually(() => expect(asked).toHaveLength(1)).then(() => asked[0]?.write(OK));
    });
    const second = send(pool);
    await eventually(() => expect(asked).toHaveLength(2));
    first.abort();
    asked[1]?.write(OK);
    expect(await second).toEqual(ok);
    expect(sockets).toHaveLength(1);
  });
});

describe('a paused response', () => {
  it('is read no further until it is resumed', async () => {
    const { origin, asked } = await startHeld();
    const pool = poolOf(origin);
    let bytes = 0;
    const size = 40_000_000;
    const ended = new Promise<void>((resolve) => {
      const request = pool.request(POST, {
        ...SILENT,
        onHead: () => {
          request.pause();
          setTimeout(() => request.resume(), 100);
        },
        onData: (chunk) => (bytes += chunk.length),
        onEnd: resolve,
      });
    });
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
    asked[0]?.write(Buffer.alloc(size));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(bytes).toBeLessThan(200_000);
    await ended;
    expect(bytes).toBe(size);
  });

  it('that was complete already leaves a connection that is read again', async () => {
    const { origin, asked, sockets } = await startHeld();
    const pool = poolOf(origin);
    const ended = new Promise<void>((resolve) => {
      const request = pool.request(POST, {
        ...SILENT,
        onHead: () => request.pause(),
        onData: () => undefined,
        onEnd: resolve,
      });
    });
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.write(OK);
    await ended;
    const second = send(pool);
    await eventually(() => expect(asked).toHaveLength(2));
    asked[1]?.write(OK);
    expect(await second).toEqual(ok);
    expect(sockets).toHaveLength(1);
  });
});
