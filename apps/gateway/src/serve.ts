import { createMcpHttp, serveHttp, type HttpServing, type McpHttp } from '@gateway/mcp-http';
import type { Logger } from 'pino';
import { composeGateway, type Gateway } from './compose.ts';
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

/** Upper bound for finishing what runs after SIGTERM, in milliseconds. */
const DRAIN_MS = 10_000;

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(options: ServeOptions): Promise<Ending> {
  const { logger } = options;
  const opened = await openConfiguration(options.configDir);
  if (!opened.ok) return 'refused';
  const stopped = stopSignal();
  let mcp: McpHttp | undefined;
  const gateway = composeGateway({
    ...opened,
    logger,
    sessions: () => mcp?.stats().sessions ?? 0,
  });
  try {
    mcp = createMcpHttp(gateway.service, endpointOptions(opened.config, gateway, logger));
    const serving = await listen(mcp, gateway, { options, config: opened.config });
    logger.info({ url: serving.url }, 'listening');
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
  { options, config }: { readonly options: ServeOptions; readonly config: GatewayConfig },
): Promise<HttpServing> {
  return serveHttp({
    host: options.host ?? config.http.host,
    port: options.port ?? config.http.port,
    mcp,
    routes: routesOf(gateway),
    onRequest: ({ status }) => {
      if (status !== undefined) gateway.metrics.httpAnswered(status);
    },
    onError: (error) => {
      options.logger.error({ err: error }, 'internal error');
    },
  });
}
