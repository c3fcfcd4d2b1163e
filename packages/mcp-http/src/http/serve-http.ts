import type { ServerResponse } from 'node:http';
import { answerEmpty } from '../wire/http-exchange.ts';
import {
  listenHttp,
  type HttpListenerOptions,
  type HttpServerLimits,
  type RouteHandler,
} from './http-listener.ts';
import type { McpHttp } from './mcp-http.ts';

/** A handler of one path, or of all paths with one beginning. */
interface Route {
  /** A whole path or a prefix. */
  readonly path: string;
  readonly handle: RouteHandler;
}

type Handlers = Readonly<Record<string, RouteHandler>>;

const listRoutes = (handlers: Handlers): readonly Route[] =>
  Object.entries(handlers).map(([path, handle]) => ({ path, handle }));

/** Returns the function that finds the route of a request target: that of its path, else the longest prefix. */
const routeFinder = (
  routes: Handlers,
  prefixes: Handlers,
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

/** The options of {@link serveHttp}. */
interface ServeHttpOptions extends HttpListenerOptions {
  /** Served at `/mcp`, and at its own routes. */
  readonly mcp: McpHttp;
  /** Further handlers by exact path. */
  readonly routes?: Readonly<Record<string, RouteHandler>>;
  /** Handlers of all further paths that start so, such as `/api/v1/`; the longest one that fits is taken. */
  readonly prefixes?: Readonly<Record<string, RouteHandler>>;
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
  const findRoute = routeFinder({ ...routes, ...mcp.routes, [MCP_PATH]: mcp.handle }, prefixes);
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

/** The options of {@link serveRoutes}. */
interface ServeRoutesOptions extends HttpListenerOptions {
  /** Handlers by exact path. */
  readonly routes: Readonly<Record<string, RouteHandler>>;
  /** Handlers of all further paths that start so. */
  readonly prefixes?: Readonly<Record<string, RouteHandler>>;
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
  const findRoute = routeFinder(routes, prefixes);
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
