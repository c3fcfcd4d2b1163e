import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { retryAssertion } from '@gateway/repo-checks';
import type { AnswerReader } from '../src/wire/http/http-body.ts';
import { type HttpHandler, ServerExchange } from '../src/wire/http/server-exchange.ts';
import { listen, openConnections, portOf, POST, send, startRaw } from './harness/raw-socket.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ok = { status: 200, body: 'ok' };
const ENDED = 'the server closed the connection before the end of its answer';

/** A server that answers each request at once. */
const startOk = () => startRaw((socket) => socket.write(OK));

/** A server that answers on command. */
const startHeld = async () => {
  const asked: Socket[] = [];
  const server = await startRaw((socket) => asked.push(socket));
  /** Waits until so many requests have arrived in all. */
  const arrived = (count: number) => retryAssertion(() => expect(asked).toHaveLength(count));
  return { ...server, asked, arrived };
};

const destroyed = (sockets: readonly Socket[], expected: readonly boolean[]) =>
  retryAssertion(() => expect(sockets.map((socket) => socket.destroyed)).toEqual(expected));

describe('a request', () => {
  it('is written with its length in bytes, and answered', async () => {
    const { origin, received } = await startOk();
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
    const { origin, sockets } = await startOk();
    const connections = await openConnections();
    expect(await send(connections, origin, { ...POST, headers })).toEqual({ failure });
    expect(sockets).toHaveLength(0);
  });

  it('fails with the error of the system when nothing listens, and so do those behind it', async () => {
    const { server, origin } = await startOk();
    await new Promise((resolve) => server.close(resolve));
    const connections = await openConnections({ maxConnections: 1 });
    const failure = `connect ECONNREFUSED 127.0.0.1:${new URL(origin).port}`;
    const sent = [0, 1, 2].map(() => send(connections, origin));
    expect(await Promise.all(sent)).toEqual([{ failure }, { failure }, { failure }]);
  });

  it('fails when there is no connection in time', async () => {
    // The server accepts the connection and never answers the TLS handshake.
    const authority = `127.0.0.1:${portOf(await listen(createServer()))}`;
    const connections = await openConnections({ connectTimeoutMs: 50 });
    const failure = `${authority} does not accept a connection in time`;
    expect(await send(connections, `https://${authority}`)).toEqual({ failure });
  });

  it('may be to an IPv6 address', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end(OK)));
    const port = portOf(await listen(server, '::1'));
    expect(await send(await openConnections(), `http://[::1]:${port}`)).toEqual(ok);
  });
});

describe('a connection', () => {
  it('is used again, one request at a time', async () => {
    const { origin, sockets } = await startOk();
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
    await destroyed(sockets, [true, true, false]);
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

  it.each([
    ['is closed without an answer', (socket: Socket) => void socket.end(), ENDED],
    ['is reset', (socket: Socket) => void socket.resetAndDestroy(), 'read ECONNRESET'],
  ])('that %s fails its request, which is not sent again', async (_what, answer, failure) => {
    const { origin, sockets } = await startRaw(answer);
    expect(await send(await openConnections(), origin)).toEqual({ failure });
    expect(sockets).toHaveLength(1);
  });

  it('that gets bytes without a request is closed', async () => {
    const { origin, sockets } = await startOk();
    const connections = await openConnections();
    expect(await send(connections, origin)).toEqual(ok);
    sockets[0]?.write(OK.replace('ok', 'no'));
    await destroyed(sockets, [true]);
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
    const { origin, sockets, asked, arrived } = await startHeld();
    const connections = await openConnections();
    const running = send(connections, origin);
    await arrived(1);
    connections.replace();
    const next = send(connections, origin);
    await arrived(2);
    for (const socket of asked) socket.write(OK);
    expect([await running, await next]).toEqual([ok, ok]);
    await destroyed(sockets, [true, false]);
  });
});

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
    const { origin, asked, arrived } = await startHeld();
    const connections = await openConnections({ maxConnections: 1 });
    const stream = { method: 'GET', headers: [], isLongLived: true } as const;
    const sent = [stream, stream, POST].map((parts) => send(connections, origin, parts));
    await arrived(3);
    for (const socket of asked) socket.write(OK);
    expect(await Promise.all(sent)).toEqual([ok, ok, ok]);
  });

  it('replace one that is lost while requests wait', async () => {
    const { origin, asked, arrived, sockets } = await startHeld();
    const connections = await openConnections({ maxConnections: 1 });
    const lost = send(connections, origin);
    const waiting = send(connections, origin);
    await arrived(1);
    asked[0]?.destroy();
    expect(await lost).toHaveProperty('failure');
    await arrived(2);
    asked[1]?.write(OK);
    expect(await waiting).toEqual(ok);
    expect(sockets).toHaveLength(2);
  });

  it('fail all their requests when they are closed, and later ones, also to another origin', async () => {
    const { origin, arrived, sockets } = await startHeld();
    const other = await startOk();
    const connections = await openConnections({ maxConnections: 1 });
    const outcomes = [send(connections, origin), send(connections, origin)];
    await arrived(1);
    connections.close();
    outcomes.push(send(connections, origin), send(connections, other.origin));
    const closed = { failure: 'the connections were closed' };
    expect(await Promise.all(outcomes)).toEqual([closed, closed, closed, closed]);
    await destroyed(sockets, [true]);
    expect(other.sockets).toHaveLength(0);
  });
});

describe('an aborted request', () => {
  it('is not written when it has no connection yet', async () => {
    const { origin, asked, arrived, received } = await startHeld();
    const connections = await openConnections({ maxConnections: 1 });
    const first = send(connections, origin);
    const aborted = new URL('/aborted', origin);
    const exchange = new ServerExchange(connections, aborted, POST, SILENT);
    exchange.send();
    const last = send(connections, origin);
    exchange.abort();
    for (let answered = 0; answered < 2; answered += 1) {
      await arrived(answered + 1);
      asked[answered]?.write(OK);
    }
    expect([await first, await last]).toEqual([ok, ok]);
    expect(received.join('')).not.toContain('/aborted');
  });

  it('ends its connection, and its handler is not called any more', async () => {
    const { origin, asked, arrived } = await startHeld();
    const connections = await openConnections();
    const exchange = new ServerExchange(connections, new URL(origin), POST, SILENT);
    exchange.send();
    await arrived(1);
    asked[0]?.write(OK);
    exchange.abort();
    await destroyed(asked, [true]);
  });

  it.each(['head', 'data'] as const)(
    'by its handler, at its %s, leaves its connection to no waiting request',
    async (event) => {
      const { origin, sockets } = await startOk();
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

it('a stream that is read more slowly than it arrives fills no memory, and is read to its end', async () => {
  const { origin, asked, arrived } = await startHeld();
  const connections = await openConnections();
  const size = 40_000_000;
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    const push = (chunk: Buffer) => (bytes += chunk.length) > 0;
    const reader = { isStream: true, push, end: resolve };
    const handler = { onHead: () => reader, onFailure: SILENT.onFailure };
    new ServerExchange(connections, new URL('/mcp', origin), POST, handler).send();
  });
  await arrived(1);
  const [socket] = asked;
  socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
  await new Promise((resolve) => socket?.write(Buffer.alloc(size), resolve));
  // The rest is in buffers of the system.
  expect(bytes).toBeGreaterThan(size / 2);
  await ended;
  expect(bytes).toBe(size);
});

it.each(['head', 'data', 'end'] as const)(
  'a handler that throws at the %s fails its request',
  async (event) => {
    const failing = (at: string): boolean => {
      if (at === event) throw new TypeError('wrong');
      return true;
    };
    const { origin } = await startOk();
    const connections = await openConnections();
    const reader = { push: () => failing('data'), end: () => failing('end') };
    const failure = await new Promise<Error>((resolve) => {
      new ServerExchange(connections, new URL('/mcp', origin), POST, {
        onHead: () => (failing('head') ? reader : undefined),
        onFailure: resolve,
      }).send();
    });
    expect(failure).toEqual(new TypeError('wrong'));
    expect(await send(connections, origin)).toEqual(ok);
  },
);

describe('a body that ends too early', () => {
  const SHORT = 'HTTP/1.1 503 No\r\ncontent-length: 10\r\n\r\nabc';

  /** Answers so and ends the connection. Returns what a handler learns, as soon as that are so many events. */
  const eventsOf = async (
    answer: (request: string) => string,
    count: number,
    reader?: AnswerReader,
  ): Promise<readonly string[]> => {
    const { origin } = await startRaw((socket, request) => socket.end(answer(request)));
    const connections = await openConnections();
    const run = () =>
      new Promise<readonly string[]>((resolve) => {
        const events: string[] = [];
        const add = (event: string): void => {
          if (events.push(event) === count) resolve(events);
        };
        const handler: HttpHandler = {
          onHead: ({ status }) => {
            add(`head ${status}`);
            return reader;
          },
          onFailure: ({ message }) => add(message),
        };
        const target = new URL('/mcp', origin);
        new ServerExchange(connections, target, { method: 'GET', headers: [] }, handler).send();
      });
    const events = await run();
    // The end of the first connection arrives before the answer of a second one.
    await run();
    return events;
  };

  it('is no failure when it is not used', async () => {
    expect(await eventsOf(() => SHORT, 1)).toEqual(['head 503']);
  });

  it('is a failure when it is read', async () => {
    const reader = { push: () => true, end: () => undefined };
    expect(await eventsOf(() => SHORT, 2, reader)).toEqual(['head 503', ENDED]);
  });

  it('of a redirect does not stop it', async () => {
    const redirect = SHORT.replace('503 No', '307 Go\r\nlocation: /other');
    const answer = (request: string) => (request.startsWith('GET /mcp') ? redirect : OK);
    expect(await eventsOf(answer, 1)).toEqual(['head 200']);
  });
});
