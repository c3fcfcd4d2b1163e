import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { ConnectionPool } from '../src/index.ts';
import type { HttpRequest, ResponseHead } from '../src/index.ts';
import type { ConnectionPoolOptions } from '../src/connection-pool.ts';

/** A server of bytes. */
export interface RawServer {
  readonly server: Server;
  readonly origin: string;
  /** The connections so far. */
  readonly sockets: Socket[];
  /** All that connections sent, by connection. */
  readonly received: string[];
}

/** Starts a server that calls `answer` once for each request without a body or with `}` at its end. */
export const startRaw = async (
  answer: (socket: Socket, request: string, connection: number) => void,
): Promise<RawServer> => {
  const sockets: Socket[] = [];
  const received: string[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket) - 1;
    received[connection] = '';
    let request = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      received[connection] = `${received[connection] ?? ''}${text}`;
      request += text;
      if (!/^GET[^]*\r\n\r\n$|\}$/u.test(request)) return;
      const whole = request;
      request = '';
      answer(socket, whole, connection);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { server, origin: `http://127.0.0.1:${portOf(server)}`, sockets, received };
};

/** Returns the port of a server. */
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Returns a pool that the test closes. */
export const poolOf = (
  origin: string,
  options: Partial<ConnectionPoolOptions> = {},
): ConnectionPool => {
  const pool = new ConnectionPool(origin, {
    maxConnections: 4,
    connectTimeoutMs: 5_000,
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
};

/** A response, or the failure of its request. */
export type Outcome =
  { readonly status: number; readonly body: string } | { readonly failure: string };

export const POST: HttpRequest = {
  method: 'POST',
  path: '/mcp',
  headers: ['content-type', 'application/json'],
  body: '{}',
};

/** Sends a request and returns its outcome. */
export const send = (pool: ConnectionPool, request: HttpRequest = POST): Promise<Outcome> =>
  new Promise((resolve) => {
    let head: ResponseHead | undefined;
    const chunks: Buffer[] = [];
    pool.request(request, {
      onHead: (given) => (head = given),
      onData: (bytes) => chunks.push(Buffer.from(bytes)),
      onEnd: () =>
        resolve({ status: head?.status ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      onFailure: (error) => {
        const code = 'code' in error ? String(error.code) : error.name;
        resolve({ failure: `${code}: ${error.message}` });
      },
    });
  });
