import type { DownstreamOptions } from '@gateway/downstream';
import type { Logger } from 'pino';
import { GATEWAY_VERSION, serverTimeoutSeconds, type GatewayConfig } from '@gateway/gateway-config';

/** How the gateway introduces itself to servers. */
export const CLIENT_INFO = { name: 'gateway', version: GATEWAY_VERSION } as const;

/**
 * What servers of the 2025 revisions are told that clients can do, once per connection and before there is a caller. A question goes
 * to the caller of the call that it belongs to; where that one cannot answer it, the server is told so.
 */
const CLIENT_FEATURES = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
} as const;

/** How the gateway talks to servers, in whichever process. */
export function downstreamOptions(
  { http, servers }: Pick<GatewayConfig, 'http' | 'servers'>,
  logger: Logger,
): DownstreamOptions {
  const { backoffInitialMs: initialMs, backoffMaxSeconds } = servers;
  return {
    timeouts: {
      requestMs: serverTimeoutSeconds(http.requestTimeoutSeconds) * 1000,
      stdioStartMs: servers.stdioStartSeconds * 1000,
      healthIntervalMs: servers.healthIntervalSeconds * 1000,
    },
    bounds: {
      maxMessageBytes: servers.maxMessageBytes,
      maxListItems: servers.maxListItems,
      maxConcurrentStarts: servers.maxConcurrentStarts,
    },
    backoff: { initialMs, maxMs: Math.max(initialMs, backoffMaxSeconds * 1000) },
    health: {
      timeoutMs: servers.healthTimeoutSeconds * 1000,
      failures: servers.healthFailures,
      successes: servers.healthSuccesses,
    },
    clientInfo: CLIENT_INFO,
    clientFeatures: CLIENT_FEATURES,
    log: ({ level, event, ...facts }) => {
      logger[level](facts, event);
    },
  };
}
