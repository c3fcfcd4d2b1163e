import type { GatewayConfig, HealthAddress } from '@gateway/gateway-config';
import { createForeignCheck, serveRoutes, type RouteServing } from '@gateway/mcp-http';
import { createProcessRoutes, listenError } from '@gateway/service-host';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import type { GatewayReadiness } from './readiness.ts';

/** The state that the routes `/healthz`, `/readyz` and `/metrics` report, and the hosts that may read metrics. */
export interface HealthOptions {
  readonly config: Pick<GatewayConfig, 'http'>;
  readonly readiness: GatewayReadiness;
  readonly scrape: Metrics['scrape'];
}

/**
 * Creates the handlers of `/healthz`, `/readyz` and `/metrics`. Probes use any `Host`; `/metrics` requires an allowed one or an IP
 * address, as scrapers in a cluster use.
 */
export function healthRoutes({
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

const problemText = (error: unknown): string => {
  const reason = error instanceof Error ? error.message : String(error);
  return `no listener for health checks: ${reason}; change health.port (--health-port) or health.host, or use --no-health-listener`;
};

/** Returns why {@link listenHealth} would reject for an address, as one line. */
export async function healthListenProblem(
  address: HealthAddress | undefined,
): Promise<string | undefined> {
  if (address?.isConfigured !== true) return undefined;
  const error = await listenError(address);
  return error && problemText(error);
}

/** The options of {@link listenHealth}. */
export interface HealthListenerOptions extends HealthOptions {
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
      routes: healthRoutes(options),
    });
  } catch (error) {
    const problem = problemText(error);
    if (isConfigured) throw new Error(problem, { cause: error });
    logger.warn(problem);
    return undefined;
  }
}
