import {
  createMcpHttp,
  serveHttp,
  type HttpServing,
  type McpHttp,
  type Peers,
} from '@gateway/mcp-http';
import { composeGateway, type Gateway, type GatewayOptions } from '../compose-gateway.ts';
import { measureEndpoint } from '../metrics/measure-endpoint.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Address, type GatewayConfig, isLoopbackHost } from '@gateway/gateway-config';
import { createProcessRoutes, logInternalErrors, pageRoute } from '@gateway/service-host';
import { frontPage } from './front-page.ts';

/** A gateway that serves HTTP. */
export interface ListeningGateway {
  readonly url: string;
  readonly metrics: Metrics;
  /** Refuses new requests and waits at most `timeoutMs` for running ones. */
  readonly drain: (timeoutMs: number) => Promise<void>;
  /** Stops all downstream servers and the store. */
  readonly close: () => Promise<void>;
}

/** Options of {@link listenGateway}. */
export interface ListeningGatewayOptions extends Omit<GatewayOptions, 'sessions'> {
  readonly address: Address;
  /** Key that signs session ids. Replicas with the same key serve each other's sessions. */
  readonly sessionKey?: Uint8Array;
  /** The other processes that serve the same address, with the same key. */
  readonly peers?: Peers;
  /** Answers `/metrics`; the default is the metrics of this process. */
  readonly scrape?: Metrics['scrape'];
}

/** Composes a gateway and listens. Rejects, with everything closed, when the address is not available. */
export async function listenGateway(options: ListeningGatewayOptions): Promise<ListeningGateway> {
  let mcp: McpHttp | undefined;
  const gateway = composeGateway({
    ...options,
    sessions: () => mcp?.stats().sessions ?? 0,
    queuedCalls: () => mcp?.stats().queuedCalls ?? 0,
  });
  const { metrics, close } = gateway;
  try {
    mcp = createMcpHttp(gateway.service, await endpointOptions(options, gateway));
    const { url, drain } = await listen(mcp, gateway, options);
    return { url, metrics, drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type EndpointOptions = NonNullable<Parameters<typeof createMcpHttp>[1]>;

async function endpointOptions(
  { config: { http }, address, logger, sessionKey, peers }: ListeningGatewayOptions,
  { metrics, onRequestRefused }: Gateway,
): Promise<EndpointOptions> {
  return {
    ...(sessionKey !== undefined && { sessionKey }),
    ...(peers !== undefined && { peers }),
    allowedHosts: http.allowedHosts,
    allowedOrigins: http.allowedOrigins,
    trustedProxies: http.trustedProxies,
    forwardedHeader: http.forwardedHeader,
    ...(await rateLimitOf(http.rateLimit, address)),
    limits: {
      maxBodyBytes: http.maxBodyBytes,
      maxConcurrentCalls: http.maxConcurrentRequests,
      maxConcurrentCallsPerCaller: http.maxConcurrentCallsPerCaller,
      maxQueuedCallsPerCaller: http.maxQueuedCallsPerCaller,
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
    onRefusal: (code, caller) => {
      metrics.requestRefused(code);
      onRequestRefused?.(code, caller);
    },
    onError: logInternalErrors(logger),
  };
}

/** On a loopback address all callers are one user's. */
const rateLimitOf = async (
  { enabled, ...rateLimit }: GatewayConfig['http']['rateLimit'],
  { host }: Address,
): Promise<Pick<EndpointOptions, 'rateLimit'>> =>
  (enabled ?? !(await isLoopbackHost(host))) ? { rateLimit } : {};

function listen(
  mcp: McpHttp,
  gateway: Gateway,
  { address, expose, logger, scrape = gateway.metrics.scrape }: ListeningGatewayOptions,
): Promise<HttpServing> {
  return serveHttp({
    ...address,
    mcp,
    routes: {
      '/': pageRoute(frontPage(expose)),
      ...createProcessRoutes({
        readiness: () => (gateway.isReady() ? 'ready' : 'starting'),
        scrape,
      }),
    },
    onRequest: measureEndpoint(gateway.metrics).onRequest,
    onError: logInternalErrors(logger),
  });
}
