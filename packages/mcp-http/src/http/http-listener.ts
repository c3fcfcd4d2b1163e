import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { networkOf, peerAddress } from '../wire/caller-address.ts';
import { isWaitingStream } from '../sessions/stream-limits.ts';

/** Bounds of the HTTP server itself, below any endpoint. */
export interface HttpServerLimits {
  /** Open connections; one more is closed at once. */
  readonly maxConnections: number;
  /** Bytes of one request's header; more answers 431. */
  readonly maxHeaderBytes: number;
  /** Milliseconds until the header of a request must be complete; the next check answers 408. */
  readonly headersTimeoutMs: number;
  /** Milliseconds until a whole request must have arrived; the next check answers 408. */
  readonly requestTimeoutMs: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly keepAliveTimeoutMs: number;
  /** Milliseconds between two checks of these times. Each wakes the process, also at rest. */
  readonly checkIntervalMs: number;
}

/** The bounds that hold where none are given: with the checks, 15 s for a header and 60 s for a request. */
export const DEFAULT_HTTP_SERVER_LIMITS: HttpServerLimits = {
  maxConnections: 2_048,
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 11_000,
  requestTimeoutMs: 56_000,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 4_000,
};

/** One open connection and its latest request. */
interface Connection {
  readonly socket: Socket;
  readonly network: string;
  /** Order of the latest use among all connections. */
  usedAt: number;
  hasSent: boolean;
  /** Requests that are not answered yet. */
  unanswered: number;
  /** The latest of them. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** Called when a response closes. */
  readonly release: () => void;
}

/** State of a connection. The gateway works for `working` only; it closes the others when it needs a connection. */
type ConnectionState = 'idle' | 'stream' | 'working';

/** States of connections that are closed for a new one, first choice first. */
const CLOSED_FIRST: readonly ConnectionState[] = ['idle', 'stream'];

/**
 * The open connections of a server, bounded in number. At the limit a new connection replaces the least recently used one that
 * waits for its client, of the address that has the most of them. A new connection is refused only while all others have running
 * requests.
 */
class Connections {
  readonly #limit: number;
  readonly #open = new Map<Socket, Connection>();
  #uses = 0;

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  /** Number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Records a request. */
  record(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    connection.usedAt = this.#uses += 1;
    connection.hasSent = true;
    connection.unanswered += 1;
    connection.request = request;
    connection.response = response;
    response.on('close', connection.release);
  }

  /** Closes the connections that have not sent a request. Node counts them as busy: its `closeIdleConnections` leaves them open. */
  closeSilent(): void {
    for (const { socket, hasSent } of this.#open.values()) {
      if (!hasSent) socket.destroy();
    }
  }

  #add(socket: Socket): void {
    if (this.#open.size >= this.#limit && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const network = networkOf(peerAddress(socket));
    this.#open.set(socket, connectionOf(socket, network, (this.#uses += 1)));
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Closes connections that wait for their clients. Returns `false` when there is none. */
  #makeRoom(): boolean {
    for (const state of CLOSED_FIRST) {
      const group = heaviest(this.#open.values(), state);
      if (group.length === 0) continue;
      group.sort((a, b) => a.usedAt - b.usedAt);
      const count = Math.ceil(Math.min(group.length / 2, this.#limit / BATCHES));
      for (const { socket } of group.slice(0, count)) {
        this.#open.delete(socket);
        socket.destroy();
      }
      return true;
    }
    return false;
  }
}

/** Under a flood, connections are closed in batches of this part of the limit: each selection reads all connections. */
const BATCHES = 64;

const connectionOf = (socket: Socket, network: string, usedAt: number): Connection => {
  const connection: Connection = {
    ...{ socket, network, usedAt },
    ...{ hasSent: false, unanswered: 0, request: undefined, response: undefined },
    // An idle connection keeps no request alive.
    release: () => {
      connection.unanswered -= 1;
      if (connection.unanswered > 0) return;
      connection.request = undefined;
      connection.response = undefined;
    },
  };
  return connection;
};

const stateOf = ({ request, response }: Connection): ConnectionState => {
  if (request === undefined || response === undefined) return 'idle';
  // The client has sent too little, or has read too little.
  if (!request.complete || response.writableEnded || response.destroyed) return 'idle';
  return isWaitingStream(response) ? 'stream' : 'working';
};

/** Returns the connections of a state of the address that has the most of them. */
const heaviest = (connections: Iterable<Connection>, state: ConnectionState): Connection[] => {
  const groups = new Map<string, Connection[]>();
  let largest: Connection[] = [];
  for (const connection of connections) {
    if (stateOf(connection) !== state) continue;
    const group = groups.get(connection.network) ?? [];
    group.push(connection);
    groups.set(connection.network, group);
    if (group.length > largest.length) largest = group;
  }
  return largest;
};

/** Handles one request of a path. */
export type RouteHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The options of {@link listenHttp}. */
export interface HttpListenerOptions {
  readonly host: string;
  /** `0` selects a free port. */
  readonly port: number;
  readonly limits?: Partial<HttpServerLimits>;
}

/** A listening server. */
interface HttpListener {
  readonly url: string;
  readonly port: number;
  /** From now on every answer closes its connection, so that clients and proxies open new ones elsewhere. */
  readonly retire: () => void;
  /** Closes the server and all of its connections. */
  readonly close: () => Promise<void>;
  /** Accepts no new connection and lets running requests finish; after `timeoutMs` calls `cut` and closes the rest. */
  readonly drain: (timeoutMs: number, cut?: () => Promise<void>) => Promise<void>;
}

const DRAIN_CHECK_MS = 25;

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
  return {
    url: `http://${host}:${port}`,
    port,
    retire: () => {
      isRetiring = true;
    },
    close: () => {
      const closed = closeServer(server);
      server.closeAllConnections();
      return closed;
    },
    drain: async (timeoutMs, cut) => {
      const closed = closeServer(server);
      // A connection that becomes idle while the server closes would otherwise stay open for its keep-alive time.
      const idler = setInterval(() => {
        server.closeIdleConnections();
        connections.closeSilent();
      }, DRAIN_CHECK_MS);
      const cutAll = async (): Promise<void> => {
        await cut?.();
        server.closeAllConnections();
      };
      const timer = setTimeout(() => void cutAll(), timeoutMs);
      await closed;
      clearInterval(idler);
      clearTimeout(timer);
    },
  };
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

const listening = (server: Server, { host, port }: HttpListenerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
