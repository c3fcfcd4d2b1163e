import { Pool } from 'undici';
import type { Dispatcher } from 'undici';

/** How the connections to one server are made. */
export interface HttpConnectionOptions {
  /** Bounds the TCP and TLS handshake. */
  readonly connectTimeoutMs: number;
  /** Requests under way at once to one origin; more of them wait. */
  readonly maxConnections: number;
}

/** Where a request goes, taken apart once. */
export interface HttpTarget {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
}

/** A request as it goes over the wire. */
export interface HttpParts {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body?: string;
  /** A stream that stays open for as long as the connection lives, and so must not take the place of a request. */
  readonly isLongLived?: boolean;
}

/** What went over the wire, as far as the supervision of a server cares. */
export interface HttpObserver {
  /** The server answered a request of this method with this status. */
  onStatus(status: number, method: string): void;
  /** No answer came: refused, reset, no such host, TLS. What this side ended is not reported. */
  onNetworkError(error: unknown): void;
}

/** Connections that are kept for one server, and for nobody else. */
export interface HttpConnections extends HttpObserver {
  /** Sends a request on a connection that is free, or on a new one. */
  dispatch(target: HttpTarget, parts: HttpParts, handler: Dispatcher.DispatchHandler): void;
  /** Ends all of them, whatever is under way. */
  close(): Promise<void>;
}

/** Takes a URL apart. */
export const httpTarget = (url: URL): HttpTarget => ({
  url,
  origin: url.origin,
  path: `${url.pathname}${url.search}`,
});

/** Pools by origin, made as they are needed. */
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
        // Deadlines of requests are the caller's; an idle event stream may be silent for hours.
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
 * No connections yet. They are made as they are needed, and closed when the server says so or a few idle seconds have passed.
 * A request that waits for a connection that breaks before it was written goes to another one; a written one is never sent again.
 */
export const createHttpConnections = (
  options: HttpConnectionOptions,
  observer: HttpObserver,
): HttpConnections => {
  let isClosed = false;
  const requests = createPools(options.maxConnections, options.connectTimeoutMs);
  const longLived = createPools(null, options.connectTimeoutMs);
  return {
    dispatch({ origin, path }, { method, headers, body, isLongLived }, handler) {
      const pool = (isLongLived === true ? longLived : requests).of(origin);
      // The library only reads the list, though its types do not say so.
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
