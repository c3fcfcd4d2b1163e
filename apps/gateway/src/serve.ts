import { createMcpHttp, serveHttp, type HttpServing, type McpHttp } from '@gateway/mcp-http';
import type { Logger } from 'pino';
import { composeGateway, type Address, type Gateway } from './compose.ts';
import type { GatewayConfig } from './config.ts';
import { openConfiguration } from './open-configuration.ts';
import { routesOf } from './routes.ts';
import { stopSignal } from './stop-signal.ts';

/** What `gateway serve` takes. */
export interface ServeOptions {
  readonly configDir: string;
  /** Wins over `http.host`. */
  readonly host?: string;
  /** Wins over `http.port`. */
  readonly port?: number;
  readonly logger: Logger;
}

/** How a run ended; the command line turns it into an exit code. */
export type Ending = 'fine' | 'failed' | 'refused';

/** How long running calls may go on after SIGTERM, in milliseconds: with the end of the servers it stays within 10 s. */
const DRAIN_MS = 8_000;

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(options: ServeOptions): Promise<Ending> {
  const { logger } = options;
  const opened = await openConfiguration(options.configDir);
  if (!opened.ok) return 'refused';
  const stopped = stopSignal();
  let mcp: McpHttp | undefined;
  const { host = opened.config.http.host, port = opened.config.http.port } = options;
  const gateway = composeGateway({
    ...opened,
    address: { host, port },
    logger,
    sessions: () => mcp?.stats().sessions ?? 0,
  });
  try {
    mcp = createMcpHttp(gateway.service, endpointOptions(opened.config, gateway, logger));
    const serving = await listen(mcp, gateway, { host, port, logger });
    logger.info({ url: serving.url }, 'listening');
    // A parent that started this process with a message channel need not read the log for the address.
    process.send?.({ listening: serving.url });
    logger.info({ signal: await stopped }, 'draining');
    await serving.drain(DRAIN_MS);
    return 'fine';
  } catch (error) {
    logger.fatal(error instanceof Error ? error.message : String(error));
    return 'failed';
  } finally {
    await gateway.close();
    logger.info('stopped');
  }
}

function endpointOptions(
  { http }: GatewayConfig,
  { metrics }: Gateway,
  logger: Logger,
): Parameters<typeof createMcpHttp>[1] {
  return {
    allowedHosts: http.allowedHosts,
    allowedOrigins: http.allowedOrigins,
    limits: {
      maxBodyBytes: http.maxBodyBytes,
      maxConcurrentCalls: http.maxConcurrentRequests,
      maxSessions: http.maxSessions,
      sessionIdleMs: http.sessionIdleSeconds * 1000,
      callTimeoutMs: http.requestTimeoutSeconds * 1000,
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
  { host, port, logger }: Address & { readonly logger: Logger },
): Promise<HttpServing> {
  return serveHttp({
    host,
    port,
    mcp,
    routes: routesOf(gateway),
    onRequest: ({ status }) => {
      if (status !== undefined) gateway.metrics.httpAnswered(status);
    },
    onError: (error) => {
      logger.error({ err: error }, 'internal error');
    },
  });
}
