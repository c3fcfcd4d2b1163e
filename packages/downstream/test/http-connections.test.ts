import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { retryAssertion } from '@gateway/repo-checks';
import { ServerExchange } from '../src/wire/http/server-exchange.ts';
import type { HttpHandler } from '../src/wire/http/server-exchange.ts';
import { openConnections, portOf, POST, send, startRaw } from './harness/raw-socket.ts';
import type { RawServer } from './harness/raw-socket.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ok = { status: 200, body: 'ok' };

describe('a request', () => {
  it('is written with its length in bytes, and answered', async () => {
    const { origin, received } = await startRaw((socket) => socket.write(OK));
    const body = '{"a":"é€"}';
    expect(await send(await openConnections(), origin, { ...POST, body })).toEqual(ok);
    expect(Buffer.from(received[0] ?? '', 'latin1').toString('utf8')).toBe(
      `POST /mcp HTTP/1.1\r\nhost: ${new URL(origin).host}\r\nconnection: keep-alive\r\n` +
        `content-type: application/json\r\ncontent-length: 13\r\n\r\n${body}`,
    );
  });

  it.each([
    [['x-a', 'b\n'], 'invalid x-a header'],
    [['x a', 'secret'], 'invalid header key'],
    [['transfer-encoding', 'chunked'], 'invalid transfer-encoding header'],
  ])('that HTTP does not allow fails without being written: %j', async (headers, failure) => {
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const connections = await openConnections();
    expect(await send(connections, origin, { ...POST, headers })).toEqual({ failure });
    expect(sockets).toHaveLength(0);
  });

  it('fails with the error of the system when nothing listens, and so do those behind it', async () => {
    const { server, origin } = await startRaw(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const connections = await openConnections({ maxConnections: 1 });
    const failure = `connect ECONNREFUSED 127.0.0.1:${new URL(origin).port}`;
    const sent = [0, 1, 2].map(() => send(connections, origin));
    expect(await Promise.all(sent)).toEqual([{ failure }, { failure }, { failure }]);
  });

  it('fails when there is no connection in time', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const authority = `127.0.0.1:${portOf(server)}`;
    // The server accepts the connection and never answers the TLS handshake.
    const connections = await openConnections({ connectTimeoutMs: 50 });
    expect(await send(connections, `https://${authority}`)).toEqual({
      failure: `${authority} does not accept a connection in time`,
    });
  });

  it('may be to an IPv6 address', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end(OK)));
    await new Promise<void>((resolve) => {
      server.listen(0, '::1', resolve);
    });
    onTestFinished(() => void server.close());
    expect(await send(await openConnections(), `http://[::1]:${portOf(server)}`)).toEqual(ok);
  });
});

describe('a connection', () => {
  it('is used again, one request at a time', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const connections = await openConnections();
    for (let index = 0; index < 20; index += 1) {
      expect(await send(connections, origin)).toEqual(ok);
      await setImmediate();
    }
    expect(sockets).toHaveLength(1);
  });

  it('is not used again after a response that closes it, or that has bytes behind its end', async () => {
    const { origin, sockets } = await startRaw((socket, _request, connection) => {
      if (connection === 0) socket.write(OK.replace('\r\n', '\r\nconnection: close\r\n'));
      else socket.write(connection === 1 ? `${OK}${OK}` : OK);
    });
    const connections = await openConnections();
    for (let index = 0; index < 4; index += 1) {
      expect(await send(connections, origin)).toEqual(ok);
      await setImmediate();
    }
    expect(sockets).toHaveLength(3);
    await retryAssertion(() => {
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
    });
  });

  it('is not used again when the server is about to close it', async () => {
    const { origin, sockets } = await startRaw((socket) => {
      socket.write(OK.replace('\r\n', '\r\nkeep-alive: timeout=2\r\n'));
    });
    const connections = await openConnections();
    expect(await send(connections, origin)).toEqual(ok);
    expect(await send(connections, origin)).toEqual(ok);
    expect(sockets).toHaveLength(2);
  });

  it('whose end has arrived is replaced, so that no request is lost', async () => {
    const { origin, sockets, received } = await startRaw((socket) => {
      socket.write(OK, () => setTimeout(() => socket.end(), 1));
    });
    const connections = await openConnections();
    for (let index = 0; index < 20; index += 1) {
      expect(await send(connections, origin)).toEqual(ok);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    expect(sockets).toHaveLength(20);
    expect(received.join('').match(/POST/gu)).toHaveLength(20);
  });

  it('that the server closes without an answer fails its request, which is not sent again', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.end());
    expect(await send(await openConnections(), origin)).toEqual({
      failure: 'the server closed the connection before the end of its answer',
    });
    expect(sockets).toHaveLength(1);
  });

  it('that is reset fails its request', async () => {
    const { origin } = await startRaw((socket) => socket.resetAndDestroy());
    expect(await send(await openConnections(), origin)).toEqual({ failure: 'read ECONNRESET' });
  });

  it('that gets bytes without a request is closed', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const connections = await openConnections();
    expect(await send(connections, origin)).toEqual(ok);
    sockets[0]?.write(OK.replace('ok', 'no'));
    await retryAssertion(() => expect(sockets[0]?.destroyed).toBe(true));
    expect(await send(connections, origin)).toEqual(ok);
  });

  it('is not used again when the server answered before it read the request', async () => {
    const { origin, sockets, server } = await startRaw(() => undefined);
    server.on('connection', (socket) => {
      socket.pause();
      if (sockets.length === 1) socket.write(OK);
      else socket.resume().write(OK);
    });
    const connections = await openConnections();
    const body = 'x'.repeat(20_000_000);
    expect(await send(connections, origin, { ...POST, body })).toEqual(ok);
    expect(await send(connections, origin)).toEqual(ok);
    expect(sockets).toHaveLength(2);
  });

  it('that is not believed any more is used for no further request, and others continue', async () => {
    const asked: Socket[] = [];
    const { origin, sockets } = await startRaw((socket) => asked.push(socket));
    const connections = await openConnections();
    const running = send(connections, origin);
    await retryAssertion(() => expect(asked).toHaveLength(1));
    connections.replace();
    const next = send(connections, origin);
    await retryAssertion(() => expect(asked).toHaveLength(2));
    for (const socket of asked) socket.write(OK);
    expect([await running, await next]).toEqual([ok, ok]);
    await retryAssertion(() =>
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false]),
    );
  });
});

/** A server that answers on command. */
const startHeld = async (): Promise<RawServer & { readonly asked: Socket[] }> => {
  const asked: Socket[] = [];
  const server = await startRaw((socket) => asked.push(socket));
  return { ...server, asked };
};

/** Fails the test when it is called. */
const SILENT = {
  onHead: () => {
    throw new Error('onHead was called');
  },
  onFailure: () => {
    throw new Error('onFailure was called');
  },
};

describe('the connections to an origin', () => {
  it('are no more than their maximum, and requests wait in order', async () => {
    const { origin, asked, sockets } = await startHeld();
    const connections = await openConnections({ maxConnections: 2 });
    const order: number[] = [];
    const outcomes = [0, 1, 2, 3, 4].map(async (index) => {
      const outcome = await send(connections, origin);
      order.push(index);
      return outcome;
    });
    for (let answered = 0; answered < 5; answered += 1) {
      await retryAssertion(() => expect(asked.length).toBeGreaterThan(answered));
      asked[answered]?.write(OK);
    }
    expect(await Promise.all(outcomes)).toEqual([ok, ok, ok, ok, ok]);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(sockets).toHaveLength(2);
  });

  it('have no maximum for streams that stay open, which take no place of a request', async () => {
    const { origin, asked } = await startHeld();
    const connections = await openConnections({ maxConnections: 1 });
    const stream = { method: 'GET', headers: [], isLongLived: true } as const;
    const sent = [stream, stream, POST].map((parts) => send(connections, origin, parts));
    await retryAssertion(() => expect(asked).toHaveLength(3));
    for (const socket of asked) socket.write(OK);
    expect(await Promise.all(sent)).toEqual([ok, ok, ok]);
  });

  it('replace one that is lost while requests wait', async () => {
    const { origin, asked, sockets } = await startHeld();
    const connections = await openConnections({ maxConnections: 1 });
    const lost = send(connections, origin);
    const waiting = send(connections, origin);
    await retryAssertion(() => expect(asked).toHaveLength(1));
    asked[0]?.destroy();
    expect(await lost).toHaveProperty('failure');
    await retryAssertion(() => expect(asked).toHaveLength(2));
    asked[1]?.write(OK);
    expect(await waiting).toEqual(ok);
    expect(sockets).toHaveLength(2);
  });

  it('fail all their requests when they are closed, and later ones', async () => {
    const { origin, asked, sockets } = await startHeld();
    const connections = await openConnections({ maxConnections: 1 });
    const outcomes = [send(connections, origin), send(connections, origin)];
    await retryAssertion(() => expect(asked).toHaveLength(1));
    connections.close();
    const closed = { failure: 'the connections were closed' };
    expect(await Promise.all([...outcomes, send(connections, origin)])).toEqual([
      closed,
      closed,
      closed,
    ]);
    await retryAssertion(() => expect(sockets[0]?.destroyed).toBe(true));
  });
});

describe('an aborted request', () => {
  it('is not written when it has no connection yet', async () => {
    const { origin, asked, received } = await startHeld();
    const connections = await openConnections({ maxConnections: 1 });
    const first = send(connections, origin);
    const aborted = new URL('/aborted', origin);
    const exchange = new ServerExchange(connections, aborted, POST, SILENT);
    exchange.send();
    const last = send(connections, origin);
    exchange.abort();
    for (let answered = 0; answered < 2; answered += 1) {
      await retryAssertion(() => expect(asked).toHaveLength(answered + 1));
      asked[answered]?.write(OK);
    }
    expect([await first, await last]).toEqual([ok, ok]);
    expect(received.join('')).not.toContain('/aborted');
  });

  it('ends its connection, and its handler is not called any more', async () => {
    const { origin, asked } = await startHeld();
    const connections = await openConnections();
    const exchange = new ServerExchange(connections, new URL(origin), POST, SILENT);
    exchange.send();
    await retryAssertion(() => expect(asked).toHaveLength(1));
    asked[0]?.write(OK);
    exchange.abort();
    await retryAssertion(() => expect(asked[0]?.destroyed).toBe(true));
  });

  it.each(['head', 'data'] as const)(
    'by its handler, at its %s, leaves its connection to no waiting request',
    async (event) => {
      const { origin, sockets } = await startRaw((socket) => socket.write(OK));
      const connections = await openConnections({ maxConnections: 1 });
      const abort = (): boolean => {
        exchange.abort();
        return true;
      };
      const handler: HttpHandler = {
        onFailure: SILENT.onFailure,
        onHead: () => {
          if (event === 'head') abort();
          return { push: abort, end: () => undefined };
        },
      };
      const target = new URL('/mcp', origin);
      const exchange = new ServerExchange(connections, target, POST, handler);
      exchange.send();
      expect(await send(connections, origin)).toEqual(ok);
      expect(sockets).toHaveLength(2);
    },
  );
});

describe('a stream that is read more slowly than it arrives', () => {
  it('fills no memory, and is read to its end', async () => {
    const { origin, asked } = await startHeld();
    const connections = await openConnections();
    const size = 40_000_000;
    let bytes = 0;
    const ended = new Promise<void>((resolve) => {
      const reader = {
        isStream: true,
        push: (chunk: Buffer) => (bytes += chunk.length) > 0,
        end: resolve,
      };
      const target = new URL('/mcp', origin);
      const handler = { onHead: () => reader, onFailure: SILENT.onFailure };
      new ServerExchange(connections, target, POST, handler).send();
    });
    await retryAssertion(() => expect(asked).toHaveLength(1));
    const [socket] = asked;
    socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
    await new Promise((resolve) => socket?.write(Buffer.alloc(size), resolve));
    // The rest is in buffers of the system.
    expect(bytes).toBeGreaterThan(size / 2);
    await ended;
    expect(bytes).toBe(size);
  });
});

describe('a handler that throws', () => {
  const failing = (): never => {
    throw new TypeError('wrong');
  };

  it.each(['head', 'data', 'end'] as const)('at the %s fails its request', async (event) => {
    const { origin } = await startRaw((socket) => socket.write(OK));
    const connections = await openConnections();
    const reader = {
      push: () => (event === 'data' ? failing() : true),
      end: () => (event === 'end' ? failing() : undefined),
    };
    const failure = await new Promise<Error>((resolve) => {
      new ServerExchange(connections, new URL('/mcp', origin), POST, {
        onHead: () => (event === 'head' ? failing() : reader),
        onFailure: resolve,
      }).send();
    });
    expect(failure).toEqual(new TypeError('wrong'));
    expect(await send(connections, origin)).toEqual(ok);
  });
});
