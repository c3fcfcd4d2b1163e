import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '@gateway/repo-checks';
import { poolOf, portOf, POST, send, startRaw } from './raw-server.ts';
import type { HttpRequest } from '../src/index.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ok = { status: 200, body: 'ok' };

describe('a request', () => {
  it('is written with its length in bytes, and answered', async () => {
    const { origin, received } = await startRaw((socket) => socket.write(OK));
    const pool = poolOf(origin);
    expect(await send(pool, { ...POST, body: '{"a":"é€"}' })).toEqual(ok);
    expect(Buffer.from(received[0] ?? '', 'latin1').toString('utf8')).toBe(
      `POST /mcp HTTP/1.1\r\nhost: ${new URL(origin).host}\r\nconnection: keep-alive\r\n` +
        'content-type: application/json\r\ncontent-length: 13\r\n\r\n{"a":"é€"}',
    );
  });

  it('without a body has no length', async () => {
    const { origin, received } = await startRaw((socket) => socket.write(OK));
    expect(await send(poolOf(origin), { method: 'GET', path: '/', headers: [] })).toEqual(ok);
    expect(received[0]).toBe(
      `GET / HTTP/1.1\r\nhost: ${new URL(origin).host}\r\nconnection: keep-alive\r\n\r\n`,
    );
  });

  it('that HTTP does not allow fails after it was handed over, and is not written', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const request: HttpRequest = { ...POST, headers: ['x-a', 'b\n'] };
    expect(await send(poolOf(origin), request)).toEqual({
      failure: 'invalid-request: header "x-a" has a value that HTTP does not allow',
    });
    expect(sockets).toHaveLength(0);
  });

  it('fails with the error of the system when nothing listens', async () => {
    const { server, origin } = await startRaw(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const pool = poolOf(origin, { maxConnections: 1 });
    const failure = `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:${new URL(origin).port}`;
    expect(await Promise.all([send(pool), send(pool), send(pool)])).toEqual([
      { failure },
      { failure },
      { failure },
    ]);
  });

  it('fails when there is no connection in time', async () => {
    // A backlog that is full does not accept a connection.
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, resolve);
    });
    onTestFinished(() => void server.close());
    const authority = `127.0.0.1:${portOf(server)}`;
    const pool = poolOf(`https://${authority}`, { connectTimeoutMs: 50 });
    // The server accepts the connection and never answers the TLS handshake.
    expect(await send(pool)).toEqual({
      failure: `connect-timeout: no connection to ${authority} within 50 ms`,
    });
  });
});

describe('a connection', () => {
  it('is used again, one request at a time', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const pool = poolOf(origin);
    for (let index = 0; index < 20; index += 1) expect(await send(pool)).toEqual(ok);
    expect(sockets).toHaveLength(1);
  });

  it('is not used again after a response that closes it, or that has bytes behind its end', async () => {
    const { origin, sockets } = await startRaw((socket, _request, connection) => {
      if (connection === 0) socket.write(OK.replace('\r\n', '\r\nconnection: close\r\n'));
      else socket.write(connection === 1 ? `${OK}${OK}` : OK);
    });
    const pool = poolOf(origin);
    for (let index = 0; index < 4; index += 1) expect(await send(pool)).toEqual(ok);
    expect(sockets).toHaveLength(3);
    await eventually(() => {
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
    });
  });

  it('is not used again when the server is about to close it', async () => {
    const { origin, sockets } = await startRaw((socket) => {
      socket.write(OK.replace('\r\n', '\r\nkeep-alive: timeout=2\r\n'));
    });
    const pool = poolOf(origin);
    expect(await send(pool)).toEqual(ok);
    expect(await send(pool)).toEqual(ok);
    expect(sockets).toHaveLength(2);
  });

  it('is closed when it is unused for the time that the server states, less two seconds', async () => {
    const { origin, sockets } = await startRaw((socket) => {
      socket.write(OK.replace('\r\n', '\r\nkeep-alive: timeout=3\r\n'));
    });
    const pool = poolOf(origin);
    const began = performance.now();
    expect(await send(pool)).toEqual(ok);
    await eventually(() => {
      expect(sockets[0]?.destroyed).toBe(true);
    });
    expect(performance.now() - began).toBeGreaterThan(950);
    await eventually(() => {
      expect(pool.size).toBe(0);
    });
  });

  it('whose end has arrived is replaced, so that no request is lost', async () => {
    const { origin, sockets, received } = await startRaw((socket) => {
      socket.write(OK, () => setTimeout(() => socket.end(), 1));
    });
    const pool = poolOf(origin);
    for (let index = 0; index < 20; index += 1) {
      expect(await send(pool)).toEqual(ok);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    expect(sockets).toHaveLength(20);
    expect(received.join('').match(/POST/gu)).toHaveLength(20);
  });

  it('that the server closes without an answer fails its request, which is not sent again', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.end());
    const pool = poolOf(origin);
    expect(await send(pool)).toEqual({
      failure: 'connection-ended: the server closed the connection before the end of its answer',
    });
    expect(sockets).toHaveLength(1);
  });

  it('that is reset fails its request', async () => {
    const { origin } = await startRaw((socket) => socket.resetAndDestroy());
    expect(await send(poolOf(origin))).toEqual({ failure: 'ECONNRESET: read ECONNRESET' });
  });

  it('with an invalid response fails its request and is closed', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.write('SSH-2.0-x\r\n\r\n'));
    expect(await send(poolOf(origin))).toEqual({
      failure: 'invalid-response: the response is not valid HTTP: it has no status line',
    });
    await eventually(() => {
      expect(sockets[0]?.destroyed).toBe(true);
    });
  });

  it('that gets bytes without a request is closed', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const pool = poolOf(origin);
    expect(await send(pool)).toEqual(ok);
    sockets[0]?.write(OK.replace('ok', 'no'));
    await eventually(() => {
      expect(pool.size).toBe(0);
    });
    expect(await send(pool)).toEqual(ok);
  });

  it('is not used again when the server answered before it read the request', async () => {
    const { origin, sockets, server } = await startRaw(() => undefined);
    server.on('connection', (socket) => {
      socket.pause();
      if (sockets.length === 1) socket.write(OK);
      else socket.resume().write(OK);
    });
    const pool = poolOf(origin);
    expect(await send(pool, { ...POST, body: 'x'.repeat(20_000_000) })).toEqual(ok);
    expect(await send(pool)).toEqual(ok);
    expect(sockets).toHaveLength(2);
  });
});

describe('a handler that throws', () => {
  it('fails its request and closes the connection', async () => {
    const { origin, sockets } = await startRaw((socket) => socket.write(OK));
    const failure = await new Promise<Error>((resolve) => {
      poolOf(origin).request(POST, {
        onHead: () => {
          throw new TypeError('wrong head');
        },
        onData: () => undefined,
        onEnd: () => undefined,
        onFailure: resolve,
      });
    });
    expect(failure).toEqual(new TypeError('wrong head'));
    await eventually(() => {
      expect(sockets[0]?.destroyed).toBe(true);
    });
  });
});

describe('an origin', () => {
  it.each(['ftp://host', 'ws://host'])('of another scheme is refused: %s', (origin) => {
    expect(() => poolOf(origin)).toThrow(/is neither "http:" nor "https:"$/u);
  });

  it('may be an IPv6 address', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.write(OK)));
    await new Promise<void>((resolve) => {
      server.listen(0, '::1', resolve);
    });
    onTestFinished(() => void server.close());
    const pool = poolOf(`http://[::1]:${portOf(server)}`);
    expect(await send(pool)).toEqual(ok);
    pool.close();
  });
});
