import { TurnBudget } from '../turn-budget.ts';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';

/** The options of the connections to one server. */
export interface HttpConnectionOptions {
  /** Bounds the TCP and TLS handshake. */
  readonly connectTimeoutMs: number;
  /** Maximum number of concurrent requests per origin; further requests wait. */
  readonly maxConnections: number;
}

/** A parsed request target. */
export interface HttpTarget {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
}

/** A request as it is sent. */
export interface HttpParts {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body?: string;
  /** A stream that stays open as long as the connection and does not use a request slot. */
  readonly isLongLived?: boolean;
}

/** Receives the outcome of HTTP requests. */
export interface HttpObserver {
  /** The server answered a request of this method with this status. */
  onStatus(status: number, method: string): void;
  /** The request failed without an answer: refused, reset, unknown host, TLS. Aborts by this side are not reported. */
  onNetworkError(error: unknown): void;
}

/** The connections to one server. They are not shared with other servers. */
export interface HttpConnections extends HttpObserver {
  /** The time for the event streams of the server. */
  readonly budget: TurnBudget;
  /** Sends a request on an idle or a new connection. */
  dispatch(target: HttpTarget, parts: HttpParts, handler: Dispatcher.DispatchHandler): void;
  /** Closes all connections and aborts their requests. */
  close(): Promise<void>;
}

/** Parses a URL into a request target. */
export const httpTarget = (url: URL): HttpTarget => ({
  url,
  origin: url.origin,
  path: `${url.pathname}${url.search}`,
});

/** Connection pools by origin, created on demand. */
const createPools = (
  connections: number | null,
  connectTimeoutMs: number,
): { readonly of: (origin: string) => Pool; readonly close: () => Promise<unknown> } => {
  const pools = new Map<string, Pool>();
  return {
    of(origin) {
      const known = pools.get(origin);
      if (known !== undefined) return known;
      const pool = new Pool(origin, {
        connections,
        // The deadline is set per request; an idle event stream may be silent for hours.
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: { timeout: connectTimeoutMs, noDelay: true },
      });
      pools.set(origin, pool);
      return pool;
    },
    close: () => Promise.all([...pools.values()].map((pool) => pool.destroy())),
  };
};

/**
 * Returns connections that are opened on demand and closed by the server or after a few idle seconds. A request whose connection fails
 * before it is written uses another connection; a written request is never sent again.
 */
export const createHttpConnections = (
  options: HttpConnectionOptions,
  observer: HttpObserver,
): HttpConnections => {
  let isClosed = false;
  const requests = createPools(options.maxConnections, options.connectTimeoutMs);
  const longLived = createPools(null, options.connectTimeoutMs);
  return {
    budget: new TurnBudget(),
    dispatch({ origin, path }, { method, headers, body, isLongLived }, handler) {
      const pool = (isLongLived === true ? longLived : requests).of(origin);
      // The library only reads the list, although its types allow writing.
      const list = headers as string[];
      pool.dispatch({ method, path, headers: list, body: body ?? null }, handler);
    },
    onStatus: (status, method) => observer.onStatus(status, method),
    onNetworkError(error) {
      if (!isClosed) observer.onNetworkError(error);
    },
    async close() {
      isClosed = true;
      await Promise.all([requests.close(), longLived.close()]);
    },
  };
};
