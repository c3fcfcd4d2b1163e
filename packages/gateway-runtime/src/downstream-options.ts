import type { DownstreamOptions } from '@gateway/downstream';
import type { Logger } from 'pino';
import { GATEWAY_VERSION, serverTimeoutSeconds, type GatewayConfig } from '@gateway/gateway-config';

/** Name and version of the gateway in `initialize` requests to servers. */
export const CLIENT_INFO = { name: 'gateway', version: GATEWAY_VERSION } as const;

/**
 * The client capabilities in `initialize` requests to servers of the 2025 revisions. They are declared once per connection, before
 * there is a caller. A server request goes to the caller of its call; when that caller cannot answer it, the server receives an error.
 */
const CLIENT_FEATURES = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
} as const;

/** Returns the options of the connections to servers, for every process. */
export function downstreamOptions(
  { http, servers, health }: Pick<GatewayConfig, 'http' | 'servers' | 'health'>,
  logger: Logger,
): DownstreamOptions {
  const { backoffInitialMs: firstMs, backoffMaxSeconds } = servers;
  return {
    timeouts: {
      requestMs: serverTimeoutSeconds(http.requestTimeoutSeconds) * 1000,
      stdioStartMs: servers.stdioStartSeconds * 1000,
      settleMs: health.readySeconds * 1000,
      healthIntervalMs: servers.healthIntervalSeconds * 1000,
    },
    bounds: {
      maxMessageBytes: servers.maxMessageBytes,
      maxListItems: servers.maxListItems,
      maxConcurrentStarts: servers.maxConcurrentStarts,
    },
    backoff: { firstMs, maxMs: Math.max(firstMs, backoffMaxSeconds * 1000) },
    health: {
      timeoutMs: servers.healthTimeoutSeconds * 1000,
      failures: servers.healthFailures,
      successes: servers.healthSuccesses,
    },
    users: {
      idleMs: servers.personalIdleSeconds * 1000,
      maxConnections: servers.maxPersonalConnections,
    },
    clientInfo: CLIENT_INFO,
    clientFeatures: CLIENT_FEATURES,
    log: ({ level, event, ...facts }) => {
      logger[level](facts, event);
    },
  };
}
