import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AnswerReader } from '../../src/wire/http/http-body.ts';
import {
  type HttpConnectionOptions,
  HttpConnections,
  ServerExchange,
  type HttpParts,
} from '../../src/wire/http/server-exchange.ts';

/** Returns the port of a server. */
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Listens on a free port until the test ends. Returns the server. */
export const listen = async <S extends Server>(server: S, host = '127.0.0.1'): Promise<S> => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return server;
};

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
  const server = await listen(
    createServer((socket) => {
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
    }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { server, origin: `http://127.0.0.1:${portOf(server)}`, sockets, received };
};

/** Returns connections that the test closes. */
export const openConnections = async (
  options: Partial<HttpConnectionOptions> = {},
): Promise<HttpConnections> => {
  const observer = { onNetworkError: () => undefined };
  const bounds = { maxConnections: 4, connectTimeoutMs: 5_000, ...options };
  const connections = new HttpConnections(bounds, observer);
  onTestFinished(() => connections.close());
  await connections.open();
  return connections;
};

/** A response, or the failure of its request. */
export type Outcome =
  { readonly status: number; readonly body: string } | { readonly failure: string };

export const POST: HttpParts = {
  method: 'POST',
  headers: ['content-type', 'application/json'],
  body: '{}',
};

/** Sends a request to `/mcp` and returns its outcome. */
export const send = (
  connections: HttpConnections,
  origin: string,
  parts: HttpParts = POST,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status = 0;
    const reader: AnswerReader = {
      push: (chunk) => chunks.push(chunk) > 0,
      end: () => resolve({ status, body: Buffer.concat(chunks).toString('utf8') }),
    };
    const target = new URL('/mcp', origin);
    new ServerExchange(connections, target, parts, {
      onHead: (head) => {
        status = head.status;
        return reader;
      },
      onFailure: (error) => resolve({ failure: error.message }),
    }).send();
  });
