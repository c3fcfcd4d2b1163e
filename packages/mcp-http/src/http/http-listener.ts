import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connections } from './connections.ts';
import { DEFAULT_HTTP_SERVER_LIMITS, type HttpServerLimits } from './http-server-limits.ts';

/** Handles one request of a path. */
export type RouteHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The options of {@link listenHttp}. */
export interface HttpListenerOptions {
  readonly host: string;
  /** `0` selects a free port. */
  readonly port: number;
  readonly limits?: Partial<HttpServerLimits>;
}

/** A listening server, before it has routes. */
export interface HttpListener {
  readonly server: Server;
  readonly connections: Connections;
  readonly url: string;
  readonly port: number;
  /** From now on every answer closes its connection, so that clients and proxies open new ones elsewhere. */
  readonly retire: () => void;
}

/** Listens on HTTP under limits; rejects when the address cannot be taken. */
export const listenHttp = async (
  options: HttpListenerOptions,
  handle: RouteHandler,
): Promise<HttpListener> => {
  const limits = { ...DEFAULT_HTTP_SERVER_LIMITS, ...options.limits };
  const server = createServer({
    noDelay: true,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  });
  const connections = new Connections(server, limits.maxConnections);
  let isRetiring = false;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isRetiring) response.shouldKeepAlive = false;
    connections.record(request, response);
    handle(request, response);
  });
  // Zero means all of them: a silently dropped header line could be the line that restricts the request.
  server.maxHeadersCount = 0;
  await listening(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const retire = (): void => {
    isRetiring = true;
  };
  return { server, connections, url: `http://${host}:${port}`, port, retire };
};

const listening = (server: Server, { host, port }: HttpListenerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
