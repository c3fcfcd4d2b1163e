import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isWaitingStream } from '../wire/event-stream.ts';
import { answerEmpty, type RouteHandler, type RouteHandlers } from '../wire/incoming-exchange.ts';
import { readPeerAddress, resolveNetwork } from '../wire/request-origin.ts';
import type { McpHttp } from './mcp-http.ts';

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
class ConnectionLimiter {
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
    const network = resolveNetwork(readPeerAddress(socket));
    this.#open.set(socket, createConnection(socket, network, (this.#uses += 1)));
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Closes connections that wait for their clients. Returns `false` when there is none. */
  #makeRoom(): boolean {
    for (const state of CLOSED_FIRST) {
      const group = findHeaviest(this.#open.values(), state);
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

const createConnection = (socket: Socket, network: string, usedAt: number): Connection => {
  const connection: Connection = {
    socket,
    network,
    usedAt,
    hasSent: false,
    unanswered: 0,
    request: undefined,
    response: undefined,
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

const findState = ({ request, response }: Connection): ConnectionState => {
  if (request === undefined || response === undefined) return 'idle';
  // The client has sent too little, or has read too little.
  if (!request.complete || response.writableEnded || response.destroyed) return 'idle';
  return isWaitingStream(response) ? 'stream' : 'working';
};

/** Returns the connections of a state of the address that has the most of them. */
const findHeaviest = (connections: Iterable<Connection>, state: ConnectionState): Connection[] => {
  const groups = new Map<string, Connection[]>();
  let largest: Connection[] = [];
  for (const connection of connections) {
    if (findState(connection) !== state) continue;
    const group = groups.get(connection.network) ?? [];
    group.push(connection);
    groups.set(connection.network, group);
    if (group.length > largest.length) largest = group;
  }
  return largest;
};

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
const listenHttp = async (
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
  const connections = new ConnectionLimiter(server, limits.maxConnections);
  let isRetiring = false;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isRetiring) response.shouldKeepAlive = false;
    connections.record(request, response);
    handle(request, response);
  });
  // Zero means all of them: a silently dropped header line could be the line that restricts the request.
  server.maxHeadersCount = 0;
  await startListening(server, options);
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

const startListening = (server: Server, { host, port }: HttpListenerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** A handler of one path, or of all paths with one beginning. */
interface Route {
  /** A whole path or a prefix. */
  readonly path: string;
  readonly handle: RouteHandler;
}

const listRoutes = (handlers: RouteHandlers): readonly Route[] =>
  Object.entries(handlers).map(([path, handle]) => ({ path, handle }));

/** Returns the function that finds the route of a request target: that of its path, else the longest prefix. */
const createRouteFinder = (
  routes: RouteHandlers,
  prefixes: RouteHandlers,
): ((url: string) => Route | undefined) => {
  const exact = new Map(listRoutes(routes).map((route) => [route.path, route]));
  const longestFirst = listRoutes(prefixes).toSorted((a, b) => b.path.length - a.path.length);
  return (url) => {
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    return exact.get(path) ?? longestFirst.find((route) => path.startsWith(route.path));
  };
};

/** One finished HTTP request, for metrics; it carries no value that a caller chose freely. */
export interface RequestEvent {
  /** The served path, or the prefix that serves it; `undefined` for a path without a route. */
  readonly path: string | undefined;
  readonly method: string;
  /** Status of the answer; `undefined` when the caller went away before one was written. */
  readonly status: number | undefined;
  readonly durationMs: number;
}

interface ServeHttpOptions extends HttpListenerOptions {
  /** Served at `/mcp`, and at its own routes. */
  readonly mcp: McpHttp;
  /** Further handlers by exact path. */
  readonly routes?: RouteHandlers;
  /** RouteHandlers of all further paths that start so, such as `/api/v1/`; the longest one that fits is taken. */
  readonly prefixes?: RouteHandlers;
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onError?: (error: unknown) => void;
}

/** A server that listens. */
export interface HttpServing {
  readonly url: string;
  readonly port: number;
  /**
   * Serves everything, but closes each connection after its next answer: for the time in which a load balancer learns that this process
   * stops.
   */
  readonly retire: () => void;
  /**
   * Stops in order: accepts no new connection, ends idle streams, lets running requests finish, then closes the rest.
   *
   * @param timeoutMs upper bound for the whole stop, in milliseconds
   */
  readonly drain: (timeoutMs: number) => Promise<void>;
}

/** Path of the MCP endpoint. */
const MCP_PATH = '/mcp';

/** Milliseconds in which cut calls may still settle. */
const CUT_GRACE_MS = 50;

/** Listens on HTTP; rejects when the address cannot be taken. */
export const serveHttp = async (options: ServeHttpOptions): Promise<HttpServing> => {
  const { mcp } = options;
  const { url, port, retire, drain } = await listenHttp(options, requestListener(options));
  const cut = async (): Promise<void> => {
    await mcp.close();
    await new Promise((resolve) => setTimeout(resolve, CUT_GRACE_MS));
  };
  const stop = async (timeoutMs: number): Promise<void> => {
    const closed = drain(Math.max(0, timeoutMs - CUT_GRACE_MS), cut);
    mcp.drain();
    await closed;
    await mcp.close();
  };
  let stopped: Promise<void> | undefined;
  return { url, port, retire, drain: (timeoutMs) => (stopped ??= stop(timeoutMs)) };
};

const requestListener = (options: ServeHttpOptions): RouteHandler => {
  const { mcp, routes = {}, prefixes = {} } = options;
  const findRoute = createRouteFinder(
    { ...routes, ...mcp.routes, [MCP_PATH]: mcp.handle },
    prefixes,
  );
  const { onRequest } = options;
  return (request, response) => {
    const route = findRoute(request.url ?? '');
    if (onRequest !== undefined) {
      const { method = '' } = request;
      observe(onRequest, { path: route?.path, method }, response);
    }
    try {
      if (route === undefined) answerEmpty(response, 404);
      else route.handle(request, response);
    } catch (error) {
      options.onError?.(error);
      if (response.headersSent) response.destroy();
      else answerEmpty(response, 500);
    }
  };
};

const observe = (
  onRequest: (event: RequestEvent) => void,
  { path, method }: Pick<RequestEvent, 'path' | 'method'>,
  response: ServerResponse,
): void => {
  const start = performance.now();
  // Not `once`: the event occurs once anyway, and a permanent listener costs less.
  response.on('close', () => {
    const status = response.headersSent ? response.statusCode : undefined;
    onRequest({ path, method, status, durationMs: performance.now() - start });
  });
};

interface ServeRoutesOptions extends HttpListenerOptions {
  /** RouteHandlers by exact path. */
  readonly routes: RouteHandlers;
  /** RouteHandlers of all further paths that start so. */
  readonly prefixes?: RouteHandlers;
  /** Methods that reach the handlers; `GET` and `HEAD` when absent. */
  readonly methods?: readonly string[];
}

/** A server of routes that listens. */
export interface RouteServing {
  readonly url: string;
  /** Closes the server and all of its connections. */
  readonly close: () => Promise<void>;
  /**
   * Accepts no new connection, lets running requests finish, then closes the rest.
   *
   * @param timeoutMs upper bound for the whole stop, in milliseconds
   */
  readonly drain: (timeoutMs: number) => Promise<void>;
}

/** Requests of probes are short, and a probe that waits is worth more than one that is slow: it has 5 s. */
const ROUTE_LIMITS: Partial<HttpServerLimits> = {
  maxConnections: 128,
  headersTimeoutMs: 3_000,
  requestTimeoutMs: 3_000,
  checkIntervalMs: 2_000,
  keepAliveTimeoutMs: 15_000,
};

/**
 * Listens on an address of its own for routes without the endpoint, so that they have connections when the endpoint has none. A
 * request with another method is answered with 405. Rejects when the address cannot be taken.
 */
export const serveRoutes = async (options: ServeRoutesOptions): Promise<RouteServing> => {
  const { routes, prefixes = {}, methods = ['GET', 'HEAD'] } = options;
  const findRoute = createRouteFinder(routes, prefixes);
  const { url, close, drain } = await listenHttp(
    { ...options, limits: { ...ROUTE_LIMITS, ...options.limits } },
    (request, response) => {
      const route = findRoute(request.url ?? '');
      if (route === undefined) answerEmpty(response, 404);
      else if (!methods.includes(request.method ?? '')) {
        response.setHeader('allow', methods.join(', '));
        answerEmpty(response, 405);
      } else route.handle(request, response);
    },
  );
  return { url, close, drain };
};
