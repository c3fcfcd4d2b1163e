import process from 'node:process';
import type { Logger } from 'pino';
import type { Expose } from './expose.ts';
import { listeningGateway, type ListeningGateway } from './listening-gateway.ts';
import { openConfiguration } from './open-configuration.ts';
import { readSessionKey } from './session-key.ts';
import { stopSignal } from './stop-signal.ts';

/** What `gateway serve` takes. */
export interface ServeOptions {
  readonly configDir: string;
  /** Wins over `http.host`. */
  readonly host?: string;
  /** Wins over `http.port`. */
  readonly port?: number;
  readonly expose: Expose;
  readonly logger: Logger;
}

/** How a run ended; the command line turns it into an exit code. */
export type Ending = 'fine' | 'failed' | 'refused';

/** How long running calls may go on after SIGTERM, in milliseconds: with the end of the servers it stays within 10 s. */
export const DRAIN_MS = 8_000;

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(options: ServeOptions): Promise<Ending> {
  const { logger, expose } = options;
  const opened = await openConfiguration(options.configDir);
  if (!opened.ok) return 'refused';
  const sessionKey = readSessionKey(process.env);
  if (!sessionKey.ok) {
    process.stderr.write(`${sessionKey.problem}\n`);
    return 'refused';
  }
  const stopped = stopSignal();
  const { host = opened.config.http.host, port = opened.config.http.port } = options;
  let gateway: ListeningGateway | undefined;
  try {
    gateway = await listeningGateway({
      ...opened,
      ...(sessionKey.key !== undefined && { sessionKey: sessionKey.key }),
      address: { host, port },
      expose,
      logger,
    });
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
