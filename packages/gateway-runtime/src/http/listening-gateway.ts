import {
  createMcpHttp,
  serveHttp,
  type HttpServing,
  type McpHttp,
  type Peers,
} from '@gateway/mcp-http';
import { composeGateway, type Gateway, type GatewayParts } from '../compose-gateway.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Address } from '@gateway/gateway-config';
import { createProcessRoutes, pageRoute } from '@gateway/service-host';
import { frontPage } from './front-page.ts';

/** A gateway that serves HTTP. */
export interface ListeningGateway {
  readonly url: string;
  readonly metrics: Metrics;
  /** Takes no new requests and lets running ones finish; within `timeoutMs` nothing runs any more. */
  readonly drain: (timeoutMs: number) => Promise<void>;
  /** Ends its servers and stops watching. */
  readonly close: () => Promise<void>;
}

/** What a gateway is made of, and where it listens. */
export interface ListeningGatewayParts extends Omit<GatewayParts, 'sessions'> {
  readonly address: Address;
  /** Signs session ids: replicas with one key serve each other's sessions. */
  readonly sessionKey?: Uint8Array;
  /** The other processes that serve the same address; they need the same key. */
  readonly peers?: Peers;
  /** What `/metrics` answers, when that is not this process alone. */
  readonly scrape?: Metrics['scrape'];
}

/** Composes a gateway and listens; rejects when the address cannot be taken, and leaves nothing behind. */
export async function listeningGateway(parts: ListeningGatewayParts): Promise<ListeningGateway> {
  let mcp: McpHttp | undefined;
  const gateway = composeGateway({ ...parts, sessions: () => mcp?.stats().sessions ?? 0 });
  const { metrics, close } = gateway;
  try {
    mcp = createMcpHttp(gateway.service, endpointOptions(parts, gateway));
    const { url, drain } = await listen(mcp, gateway, parts);
    return { url, metrics, drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function endpointOptions(
  { config: { http }, logger, sessionKey, peers }: ListeningGatewayParts,
  { metrics }: Gateway,
): Parameters<typeof createMcpHttp>[1] {
  return {
    ...(sessionKey !== undefined && { sessionKey }),
    ...(peers !== undefined && { peers }),
    allowedHosts: http.allowedHosts,
    allowedOrigins: http.allowedOrigins,
    limits: {
      maxBodyBytes: http.maxBodyBytes,
      maxConcurrentCalls: http.maxConcurrentRequests,
      maxSessions: http.maxSessions,
      sessionIdleMs: http.sessionIdleSeconds * 1000,
      sessionMaxAgeMs: http.sessionMaxAgeSeconds * 1000,
      callTimeoutMs: http.requestTimeoutSeconds * 1000,
      questionTimeoutMs: http.questionTimeoutSeconds * 1000,
      suspendedTimeoutMs: http.questionTimeoutSeconds * 1000,
      maxSuspendedCalls: http.maxWaitingCalls,
      maxListenStreams: http.maxListenStreams,
      listTtlMs: http.listTtlSeconds * 1000,
      resourceTtlMs: http.resourceTtlSeconds * 1000,
    },
    onRefusal: (code) => {
      metrics.requestRefused(code);
    },
    onError: (error) => {
      logger.error({ err: error }, 'internal error');
    },
  };
}

function listen(
  mcp: McpHttp,
  gateway: Gateway,
  { address, expose, logger, scrape = gateway.metrics.scrape }: ListeningGatewayParts,
): Promise<HttpServing> {
  return serveHttp({
    ...address,
    mcp,
    routes: {
      '/': pageRoute(frontPage(expose)),
      ...createProcessRoutes({
        readiness: () => (gateway.ready() ? 'ready' : 'starting'),
        scrape,
      }),
    },
    onRequest: ({ status }) => {
      if (status !== undefined) gateway.metrics.httpAnswered(status);
    },
    onError: (error) => {
      logger.error({ err: error }, 'internal error');
    },
  });
}
