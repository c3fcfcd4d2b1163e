import type { RouteHandler } from './http-listener.ts';
import type { McpHttpStats } from './mcp-http-stats.ts';

/** The MCP endpoint as a handler for `node:http`. */
export interface McpHttp {
  /** Serves one request of the endpoint, whatever its method; never throws. */
  readonly handle: RouteHandler;
  /** The paths of the transport of 2024-11-05, where it is served: see `McpHttpOptions.legacySse`. */
  readonly routes: Readonly<Record<string, RouteHandler>>;
  /** Ends all streams and refuses new requests; running calls go on. */
  readonly drain: () => void;
  /** Drains, then ends running calls with an error and forgets all sessions. */
  readonly close: () => Promise<void>;
  readonly stats: () => McpHttpStats;
}
