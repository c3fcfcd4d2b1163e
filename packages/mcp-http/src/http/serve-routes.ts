import { answerEmpty } from '../wire/answer.ts';
import {
  listenHttp,
  type HttpListener,
  type HttpListenerOptions,
  type RouteHandler,
} from './http-listener.ts';
import type { HttpServerLimits } from './http-server-limits.ts';
import { routeFinder } from './route-finder.ts';

/** The options of {@link serveRoutes}. */
export interface ServeRoutesOptions extends HttpListenerOptions {
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

const DRAIN_CHECK_MS = 25;

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
  const routeOf = routeFinder({ routes, prefixes });
  const { server, connections, url } = await listenHttp(
    { ...options, limits: { ...ROUTE_LIMITS, ...options.limits } },
    (request, response) => {
      const route = routeOf(request.url ?? '');
      if (route === undefined) answerEmpty(response, 404);
      else if (!methods.includes(request.method ?? '')) {
        response.setHeader('allow', methods.join(', '));
        answerEmpty(response, 405);
      } else route.handle(request, response);
    },
  );
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close, drain: (timeoutMs) => drain({ server, connections }, timeoutMs) };
};

const drain = async (
  { server, connections }: Pick<HttpListener, 'server' | 'connections'>,
  timeoutMs: number,
): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection that becomes idle while the server closes would otherwise stay open for its keep-alive time.
  const idler = setInterval(() => {
    server.closeIdleConnections();
    connections.closeSilent();
  }, DRAIN_CHECK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(idler);
  clearTimeout(timer);
};
