import { ConnectionPool } from '@gateway/http-client';
import type { HttpRequest, PooledRequest, ResponseHandler } from '@gateway/http-client';
import { TurnBudget } from '../turn-budget.ts';

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
export interface HttpParts extends Omit<HttpRequest, 'path'> {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** A stream that stays open as long as the connection and does not use a request slot. */
  readonly isLongLived?: boolean;
}

/** Receives the outcome of HTTP requests. */
export interface HttpObserver {
  /** The server answered a request with this status. */
  onStatus(status: number): void;
  /** The request failed without an answer: refused, reset, unknown host, TLS. Aborts by this side are not reported. */
  onNetworkError(error: unknown): void;
}

/** The connections to one server. They are not shared with other servers. */
export interface HttpConnections extends HttpObserver {
  /** The time for the event streams of the server. */
  readonly budget: TurnBudget;
  /** Sends a request on an idle or a new connection. */
  send(target: HttpTarget, parts: HttpParts, handler: ResponseHandler): PooledRequest;
  /** Closes all connections and aborts their requests. */
  close(): void;
}

/** Parses a URL into a request target. */
export const httpTarget = (url: URL): HttpTarget => ({
  url,
  origin: url.origin,
  path: `${url.pathname}${url.search}`,
});

/** Connection pools by origin, created on demand. */
const createPools = (
  maxConnections: number,
  connectTimeoutMs: number,
): { readonly of: (origin: string) => ConnectionPool; readonly close: () => void } => {
  const pools = new Map<string, ConnectionPool>();
  let isClosed = false;
  return {
    of(origin) {
      const known = pools.get(origin);
      if (known !== undefined) return known;
      const pool = new ConnectionPool(origin, { maxConnections, connectTimeoutMs });
      if (isClosed) pool.close();
      pools.set(origin, pool);
      return pool;
    },
    close() {
      isClosed = true;
      for (const pool of pools.values()) pool.close();
    },
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
  const longLived = createPools(Infinity, options.connectTimeoutMs);
  return {
    budget: new TurnBudget(),
    send({ origin, path }, { method, headers, body, isLongLived }, handler) {
      const pool = (isLongLived === true ? longLived : requests).of(origin);
      return pool.request({ method, path, headers, body }, handler);
    },
    onStatus: (status) => observer.onStatus(status),
    onNetworkError(error) {
      if (!isClosed) observer.onNetworkError(error);
    },
    close() {
      isClosed = true;
      requests.close();
      longLived.close();
    },
  };
};
