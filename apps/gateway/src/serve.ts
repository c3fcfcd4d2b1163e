import process from 'node:process';
import {
  createLogger,
  DRAIN_TIMEOUT_MS,
  readSessionKey,
  waitForStopSignal,
  type CommandResult,
} from '@gateway/service-host';
import { healthAddress, openConfiguration } from '@gateway/gateway-config';
import type { ServeArguments } from '@gateway/gateway-cli';
import {
  listenGateway,
  type ListeningGateway,
  type ListeningGatewayOptions,
  openSessionKey,
  openState,
  resolveCoreToolWrites,
} from '@gateway/gateway-runtime';
import { startYamlThread } from './start-yaml-thread.ts';
import { isWorker, serveAsWorker } from './workers/serve-as-worker.ts';
import { serveWithWorkers } from './workers/serve-with-workers.ts';

/** The environment variable with the secret that replicas share. */
const SESSION_KEY_VARIABLE = 'GATEWAY_SESSION_KEY';

/** Runs `gateway serve`: serves until SIGTERM or SIGINT, then drains. A worker ends its process itself and has no result. */
export async function serve(options: ServeArguments): Promise<CommandResult | undefined> {
  const { expose, workers, logFormat: format, logLevel: level } = options;
  const logger = createLogger({ format, level });
  if (isWorker()) {
    serveAsWorker(logger);
    return undefined;
  }
  const sessionKey = readSessionKey(process.env, SESSION_KEY_VARIABLE);
  if (!sessionKey.ok) {
    process.stderr.write(`${sessionKey.problem}\n`);
    return 'refused';
  }
  const opened = await openConfiguration(options.configDir, { startYamlThread });
  if (!opened.ok) return 'refused';
  const { host = opened.config.http.host, port = opened.config.http.port } = options;
  const address = { host, port };
  const coreToolWrites = await resolveCoreToolWrites({
    ...{ config: opened.config, option: options.coreToolWrites, address, logger },
  });
  const state = await openState(opened.stateDirectory, logger);
  const place = { directory: opened.stateDirectory, isLocked: state !== undefined };
  const key = sessionKey.key ?? (await openSessionKey(place, logger));
  const parts: ListeningGatewayOptions = {
    ...opened,
    state,
    ...(key !== undefined && { sessionKey: key }),
    address,
    health: healthAddress(opened.config, { ...options, host }),
    coreToolWrites,
    expose,
    logger,
  };
  return workers === 1 ? serveAlone(parts) : serveWithWorkers(parts, workers);
}

async function serveAlone(parts: ListeningGatewayOptions): Promise<CommandResult> {
  const { logger } = parts;
  const stopped = waitForStopSignal();
  let gateway: ListeningGateway | undefined;
  try {
    gateway = await listenGateway(parts);
    const { url, healthUrl: health } = gateway;
    logger.info({ url, health }, 'listening');
    // Reports the address to a parent process with a message channel, which therefore does not have to read the log.
    process.send?.({ listening: url });
    logger.info({ signal: await stopped }, 'draining');
    await gateway.drain(DRAIN_TIMEOUT_MS);
    return 'succeeded';
  } catch (error) {
    logger.fatal(error instanceof Error ? error.message : String(error));
    return 'failed';
  } finally {
    await gateway?.close();
    logger.info('stopped');
  }
}
