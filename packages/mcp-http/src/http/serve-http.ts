import type { Server, ServerResponse } from 'node:http';
import { answerEmpty } from '../wire/answer.ts';
import type { Connections } from './connections.ts';
import { listenHttp, type HttpListenerOptions, type RouteHandler } from './http-listener.ts';
import type { McpHttp } from './served-mcp.ts';
import { routeFinder } from './route-finder.ts';

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
export interface ServeHttpOptions extends HttpListenerOptions {
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
const DRAIN_CHECK_MS = 25;

/** Listens on HTTP; rejects when the address cannot be taken. */
export const serveHttp = async (options: ServeHttpOptions): Promise<HttpServing> => {
  const { url, port, retire, ...listener } = await listenHttp(options, requestListener(options));
  return { url, port, retire, drain: drainOnce({ ...listener, mcp: options.mcp }) };
};

const requestListener = (options: ServeHttpOptions): RouteHandler => {
  const { mcp, routes = {}, prefixes = {} } = options;
  const routeOf = routeFinder({
    routes: { ...routes, ...mcp.routes, [MCP_PATH]: mcp.handle },
    prefixes,
  });
  const { onRequest } = options;
  return (request, response) => {
    const route = routeOf(request.url ?? '');
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

const drainOnce = (draining: Draining): HttpServing['drain'] => {
  let drained: Promise<void> | undefined;
  return (timeoutMs) => (drained ??= drain(draining, timeoutMs));
};

interface Draining {
  readonly server: Server;
  readonly mcp: McpHttp;
  readonly connections: Connections;
}

const drain = async ({ server, mcp, connections }: Draining, timeoutMs: number): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  mcp.drain();
  // A connection that becomes idle while the server closes would otherwise stay open for its keep-alive time.
  const idler = setInterval(() => {
    server.closeIdleConnections();
    connections.closeSilent();
  }, DRAIN_CHECK_MS);
  const cut = async (): Promise<void> => {
    await mcp.close();
    setTimeout(() => server.closeAllConnections(), CUT_GRACE_MS);
  };
  const timer = setTimeout(() => void cut(), Math.max(0, timeoutMs - CUT_GRACE_MS));
  await closed;
  clearInterval(idler);
  clearTimeout(timer);
  await mcp.close();
};
