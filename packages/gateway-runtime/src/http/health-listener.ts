import type { GatewayConfig, HealthAddress } from '@gateway/gateway-config';
import { createForeignCheck, type RouteServing, serveRoutes } from '@gateway/mcp-http';
import { createProcessRoutes, findListenError } from '@gateway/service-host';
import type { Logger } from 'pino';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import type { Downstream } from '@gateway/downstream';

/** The answer of `/readyz`. */
type Readiness = ReturnType<Parameters<typeof createProcessRoutes>[0]['readiness']>;

/** The readiness of a gateway. */
export interface GatewayReadiness {
  /** Returns the state now, with the servers that start automatically and are not connected. */
  readonly current: () => Readiness;
  /** Resolves when every server that starts automatically was tried once, within a time limit. */
  readonly settled: Promise<void>;
  /** Records that the endpoint accepts connections; a gateway is not ready before. */
  readonly serve: () => void;
  /** Records that the gateway stops. */
  readonly drain: () => void;
}

/**
 * Follows the readiness of a gateway whose servers are applied.
 *
 * @param read resolves when every definition was read once: a replica without them would serve an empty catalog
 */
export function followReadiness(
  downstream: Downstream,
  read: Promise<void> = Promise.resolve(),
): GatewayReadiness {
  let isSettled = false;
  let isServing = false;
  let isDraining = false;
  const settled = downstream.settled();
  void settled
    .then(() => read)
    // Of servers that were read later.
    .then(() => downstream.settled())
    .then(() => {
      isSettled = true;
    });
  const status = (): Readiness['status'] => {
    if (isDraining) return 'draining';
    return isSettled && isServing ? 'ready' : 'starting';
  };
  const missing = (): readonly string[] =>
    downstream
      .servers()
      .filter(
        ({ definition, connectionId }) => definition.spec.autoStart && connectionId === undefined,
      )
      .map(({ name }) => name);
  return {
    current: () => ({ status: status(), missing: missing() }),
    settled,
    serve: () => {
      isServing = true;
    },
    drain: () => {
      isDraining = true;
    },
  };
}

/** The state that the routes `/healthz`, `/readyz` and `/metrics` report, and the hosts that may read metrics. */
interface HealthOptions {
  readonly config: Pick<GatewayConfig, 'http'>;
  readonly readiness: GatewayReadiness;
  readonly scrape: GatewayMetrics['scrape'];
}

/**
 * Creates the handlers of `/healthz`, `/readyz` and `/metrics`. Probes use any `Host`; `/metrics` requires an allowed one or an IP
 * address, as scrapers in a cluster use.
 */
export function createHealthRoutes({
  config: { http },
  readiness,
  scrape,
}: HealthOptions): ReturnType<typeof createProcessRoutes> {
  const { allowedHosts, allowedOrigins } = http;
  const foreign = createForeignCheck({ allowedHosts, allowedOrigins, allowAddresses: true });
  return createProcessRoutes({
    readiness: readiness.current,
    refuseMetrics: (request) => foreign(request)?.message,
    scrape,
  });
}

const formatProblem = (error: unknown): string => {
  const reason = error instanceof Error ? error.message : String(error);
  return `no listener for health checks: ${reason}; change health.port (--health-port) or health.host, or use --no-health-listener`;
};

/** Returns why {@link listenHealth} would reject for an address, as one line. */
export async function validateHealthAddress(
  address: HealthAddress | undefined,
): Promise<string | undefined> {
  if (address?.isConfigured !== true) return undefined;
  const error = await findListenError(address);
  return error && formatProblem(error);
}

interface HealthListenerOptions extends HealthOptions {
  readonly address: HealthAddress | undefined;
  readonly logger: Logger;
}

/**
 * Listens for probes and scrapers on an address of their own. Without the default port, when it is in use, the gateway logs a
 * warning and resolves without a listener.
 *
 * @throws Error when the listener cannot have an address that the configuration names
 */
export async function listenHealth(
  options: HealthListenerOptions,
): Promise<RouteServing | undefined> {
  const { address, logger } = options;
  if (address === undefined) return undefined;
  const { host, port, isConfigured } = address;
  try {
    return await serveRoutes({
      host,
      port,
      routes: createHealthRoutes(options),
    });
  } catch (error) {
    const problem = formatProblem(error);
    if (isConfigured) throw new Error(problem, { cause: error });
    logger.warn(problem);
    return undefined;
  }
}
