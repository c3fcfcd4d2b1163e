import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventStreamReader } from '@gateway/mcp-wire';
import type { AnswerReader } from '../src/wire/http/http-body.ts';
import { WholeBody } from '../src/wire/http/http-wire.ts';
import {
  HttpConnections,
  ServerExchange,
  type HttpHandler,
} from '../src/wire/http/server-exchange.ts';

/** Starts a server that answers each request with these bytes and ends the connection. */
const startServer = async (answerOf: (request: string) => string) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (request) => socket.end(answerOf(request.toString('latin1'))));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { sockets, target: new URL(`http://127.0.0.1:${port}/mcp`) };
};

const connectionsOf = async (): Promise<HttpConnections> => {
  const observer = { onNetworkError: () => undefined };
  const connections = new HttpConnections({ connectTimeoutMs: 5_000, maxConnections: 4 }, observer);
  onTestFinished(() => connections.close());
  await connections.open();
  return connections;
};

/** Sends a request. Returns what its handler learns, as soon as that are so many events; later ones are added. */
const eventsOf = (
  connections: HttpConnections,
  target: URL,
  count: number,
  reader?: AnswerReader,
): Promise<readonly string[]> =>
  new Promise((resolve) => {
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
    new ServerExchange(connections, target, { method: 'GET', headers: [] }, handler).send();
  });

const SHORT = 'HTTP/1.1 503 No\r\ncontent-length: 10\r\n\r\nabc';

describe('a body that ends too early', () => {
  const ended = 'the server closed the connection before the end of its answer';

  it('is no failure when it is not used', async () => {
    const { target } = await startServer(() => SHORT);
    const connections = await connectionsOf();
    const events = await eventsOf(connections, target, 1);
    // The end of the first connection arrives before the answer of a second one.
    await eventsOf(connections, target, 1);
    expect(events).toEqual(['head 503']);
  });

  it('is a failure when it is read', async () => {
    const { target } = await startServer(() => SHORT);
    const reader = { push: () => true, end: () => undefined };
    expect(await eventsOf(await connectionsOf(), target, 2, reader)).toEqual(['head 503', ended]);
  });

  it('of a redirect does not stop it', async () => {
    const { target } = await startServer((request) =>
      request.startsWith('GET /mcp')
        ? SHORT.replace('503 No', '307 Go\r\nlocation: /other')
        : 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
    );
    expect(await eventsOf(await connectionsOf(), target, 1)).toEqual(['head 200']);
  });
});

describe('connections that were closed', () => {
  it('open no other one, also to an origin that was not used before', async () => {
    const { target, sockets } = await startServer(() => SHORT);
    const connections = await connectionsOf();
    connections.close();
    expect(await eventsOf(connections, target, 1)).toEqual(['the connections were closed']);
    expect(sockets).toHaveLength(0);
  });
});

describe('a body that arrives byte by byte', () => {
  const BYTES = 1_000_000;
  const ONE = Buffer.from('x');
  const ignore = (): void => undefined;

  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  it.each([
    ['a body', () => new WholeBody(BYTES, undefined, ignore, ignore)],
    [
      'an event',
      () => new EventStreamReader(BYTES, { onEvent: ignore, onId: ignore, onRetry: ignore }),
    ],
  ])('of %s needs no object for each byte', (_kind, create) => {
    const before = used();
    const reader = create();
    for (let index = 0; index < BYTES; index += 1) reader.push(ONE);
    // An object for each byte has more than 100 bytes. Objects that are not used any more are a few megabytes.
    expect((used() - before) / BYTES).toBeLessThan(60);
    expect(reader.push(ONE)).toBe(false);
  });

  it('is read as a whole', () => {
    let read = '';
    const body = new WholeBody(10_000, undefined, (bytes) => (read = bytes.toString()), ignore);
    const text = Array.from({ length: 10_000 }, (_, index) => String(index % 10)).join('');
    for (const byte of text) body.push(Buffer.from(byte));
    body.end();
    expect(read).toBe(text);
  });
});
