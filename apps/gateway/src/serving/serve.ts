import process from 'node:process';
import type { Logger } from 'pino';
import { DRAIN_MS, type Ending } from '../ending.ts';
import type { Expose } from '../services/expose.ts';
import {
  listeningGateway,
  type ListeningGateway,
  type ListeningGatewayParts,
} from './listening-gateway.ts';
import { openConfiguration } from '../configuration/open-configuration.ts';
import { openState } from '../open-state.ts';
import { readSessionKey } from './session-key.ts';
import { stopSignal } from './stop-signal.ts';
import { serveWithWorkers } from '../workers/serve-with-workers.ts';

/** What `gateway serve` takes. */
export interface ServeOptions {
  readonly configDir: string;
  /** Wins over `http.host`. */
  readonly host?: string;
  /** Wins over `http.port`. */
  readonly port?: number;
  readonly expose: Expose;
  /** Processes that serve; 1 is this one alone. */
  readonly workers: number;
  readonly logger: Logger;
}

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(options: ServeOptions): Promise<Ending> {
  const { logger, expose, workers } = options;
  const sessionKey = readSessionKey(process.env);
  if (!sessionKey.ok) {
    process.stderr.write(`${sessionKey.problem}\n`);
    return 'refused';
  }
  const opened = await openConfiguration(options.configDir);
  if (!opened.ok) return 'refused';
  const { host = opened.config.http.host, port = opened.config.http.port } = options;
  const state = await openState(opened.stateDirectory, logger);
  const parts: ListeningGatewayParts = {
    ...opened,
    state,
    ...(sessionKey.key !== undefined && { sessionKey: sessionKey.key }),
    address: { host, port },
    expose,
    logger,
  };
  return workers === 1 ? serveAlone(parts) : serveWithWorkers(parts, workers);
}

async function serveAlone(parts: ListeningGatewayParts): Promise<Ending> {
  const { logger } = parts;
  const stopped = stopSignal();
  let gateway: ListeningGateway | undefined;
  try {
    gateway = await listeningGateway(parts);
    logger.info({ url: gateway.url }, 'listening');
    // A parent that started this process with a message channel need not read the log for the address.
    process.send?.({ listening: gateway.url });
    logger.info({ signal: await stopped }, 'draining');
    await gateway.drain(DRAIN_MS);
    return 'fine';
  } catch (error) {
    logger.fatal(error instanceof Error ? error.message : String(error));
    return 'failed';
  } finally {
    await gateway?.close();
    logger.info('stopped');
  }
}
