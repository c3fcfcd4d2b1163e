import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { serveSample, type Endpoint } from './endpoint.ts';
import {
  call,
  ENVELOPE,
  rawRequest,
  rawSocket,
  readAnswer,
  readToEnd,
  rpc,
  until,
} from './wire-client.ts';

const RUNS = 150;
const SOCKET_RUNS = 60;

/** Bodies that are almost right: JSON-RPC messages with one part replaced by anything. */
const almostRpc = fc
  .record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof(
        fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover'),
        fc.jsonValue(),
      ),
      params: fc.oneof(
        fc.record(
          {
            name: fc.oneof(fc.constantFrom('echo', 'kilobyte', '__proto__'), fc.jsonValue()),
            arguments: fc.jsonValue(),
            protocolVersion: fc.oneof(fc.constant('2025-11-25'), fc.jsonValue()),
            _meta: fc.oneof(fc.constant(ENVELOPE), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue(),
      ),
      result: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((message) => JSON.stringify(message));

const nested = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.integer({ min: 1, max: 100_000 }), fc.boolean())
  .map(([open, depth, closed]) => {
    const close = open === '[' ? ']' : '}';
    return `${open.repeat(depth)}1${closed ? close.repeat(depth) : ''}`;
  });

const huge = fc
  .tuple(fc.constantFrom('x', '\\u0000', '😀', '{"a":'), fc.integer({ min: 1, max: 300_000 }))
  .map(([unit, times]) => JSON.stringify(call('echo', { text: unit.repeat(times) })));

const broken = fc
  .tuple(almostRpc, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }))
  .map(([text, at, noise]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + noise + text.slice(cut);
  });

const body = fc.oneof(
  almostRpc,
  fc.array(almostRpc, { maxLength: 5 }).map((messages) => `[${messages.join(',')}]`),
  broken,
  nested,
  huge,
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2026-07-28', '2025-11-25', '2025-03-26', '9', ''),
    'mcp-method': fc.constantFrom('tools/call', 'tools/list', 'ping', '=?base64?!?='),
    'mcp-name': fc.constantFrom('echo', '=?base64?ZWNobw==?=', '=?base64?x?=', ''),
    'mcp-session-id': fc.constantFrom('x', '', '__proto__'),
    accept: fc.constantFrom('*/*', 'text/event-stream', 'application/json', ';;;,,q=', ''),
    'content-type': fc.constantFrom('application/json', 'application/json;', 'text/plain', ';'),
    'x-gateway-toolset': fc.constantFrom('', 'server:a', ',,,', 'a'.repeat(8_000)),
  },
  { requiredKeys: [] },
);

const isWellFormed = (status: number, type: unknown, text: string): boolean => {
  if (status === 202) return text === '';
  if (type === 'text/event-stream') return text === '' || text.endsWith('\n\n');
  const answer = JSON.parse(text) as { jsonrpc?: unknown } | { jsonrpc?: unknown }[];
  return [answer].flat().every((message) => message.jsonrpc === '2.0');
};

/** Faults on a socket, as chunks that are written in sequence. */
const socketNoise = fc.array(
  fc.oneof(
    almostRpc.map((text) => rawRequest([], text)),
    almostRpc.map((text) => rawRequest([], text).slice(0, -1)),
    fc.constantFrom(
      'GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
      'POST /mcp HTTP/9.9\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'GET /mcp HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
      '\r\n\r\n\r\n',
      '\u0000',
    ),
    fc.string({ unit: 'binary', maxLength: 100 }),
  ),
  { minLength: 1, maxLength: 4 },
);

const endings: Readonly<Record<'end' | 'destroy' | 'reset', (socket: Socket) => unknown>> = {
  end: (socket) => socket.end(),
  destroy: (socket) => socket.destroy(),
  reset: (socket) => socket.resetAndDestroy(),
};

/* What no client should send is answered well or closes the connection, and the endpoint goes on. */
let endpoint: Endpoint;
beforeAll(async () => {
  const serverLimits = { headersTimeoutMs: 150, requestTimeoutMs: 300, checkIntervalMs: 25 };
  endpoint = await serveSample({ serverLimits, limits: { maxSessions: 20, callTimeoutMs: 2_000 } });
});
afterEach(async () => {
  const answer = await endpoint.post(call('echo', { still: 'here' }));
  expect(readAnswer(answer)).toEqual({ args: { still: 'here' } });
  await until(() => endpoint.stats().inFlight === 0 && endpoint.stats().bufferedBodyBytes === 0);
  expect(endpoint.stats().sessions).toBeLessThanOrEqual(20);
});
afterAll(() => endpoint.drain(0));

it('answers any body and any header of the protocol with something well-formed', async () => {
  await fc.assert(
    fc.asyncProperty(body, headers, async (bytes, lines) => {
      const answer = await endpoint.send({ body: bytes, headers: lines });
      expect(
        isWellFormed(answer.status, answer.headers['content-type'], answer.text),
        answer.text.slice(0, 500),
      ).toBe(true);
      expect(answer.status).not.toBe(500);
    }),
    { numRuns: RUNS },
  );
  expect(endpoint.errors).toEqual([]);
});

it('survives any bytes on a socket and any way that it closes', async () => {
  const ending = fc.constantFrom('end', 'destroy', 'reset');
  await fc.assert(
    fc.asyncProperty(socketNoise, ending, async (pieces, end) => {
      const socket = await rawSocket(endpoint);
      const closed = readToEnd(socket);
      for (const piece of pieces) {
        socket.write(piece, 'latin1');
        await new Promise((resolve) => setImmediate(resolve));
      }
      endings[end](socket);
      const text = await closed;
      expect(text === '' || text.startsWith('HTTP/1.1 ')).toBe(true);
    }),
    { numRuns: SOCKET_RUNS },
  );
  expect(endpoint.errors).toEqual([]);
});

it('does not wait for half-open connections', async () => {
  const sockets = await Promise.all(Array.from({ length: 50 }, () => rawSocket(endpoint)));
  const closed = sockets.map(readToEnd);
  for (const [at, socket] of sockets.entries()) {
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: '.slice(0, at + 1));
  }
  for (const text of await Promise.all(closed)) {
    expect(text).toMatch(/^HTTP\/1\.1 (400|408) /);
  }
});

it('answers pipelined requests in order', async () => {
  const socket = await rawSocket(endpoint);
  const requests = Array.from({ length: 30 }, (_, id) =>
    rawRequest(id === 29 ? ['Connection: close'] : [], JSON.stringify(rpc('ping', {}, id))),
  );
  socket.write(requests.join(''));
  const text = await readToEnd(socket);
  const ids = [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 30 }, (_, id) => id));
});
