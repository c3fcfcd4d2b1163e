import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { servePortal, type PortalOptions, type PortalServing } from '@gateway/portal-service';
import {
  createLogger,
  DRAIN_TIMEOUT_MS,
  readSessionKey,
  formatStartFailure,
  waitForStopSignal,
  type CommandResult,
  type LogFormat,
  type LogLevel,
} from '@gateway/service-host';

/** The options of the command `serve`. */
export interface ServeOptions extends Omit<PortalOptions, 'webRoot' | 'key' | 'publicUrl'> {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly redis?: string;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
}

const WEB_ROOT = fileURLToPath(new URL('web', import.meta.url));

/** Serves until SIGTERM or SIGINT, then drains. */
export async function serve(
  options: ServeOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  const sessionKey = readSessionKey(environment, 'PORTAL_SESSION_KEY');
  if (!sessionKey.ok) return refuse(sessionKey.problem);
  const { logFormat: format, logLevel: level } = options;
  const logger = createLogger({ format, level });
  const stopSignal = waitForStopSignal();
  const log = {
    warn: (message: string) => logger.warn(message),
    info: (message: string) => logger.info(message),
  };
  let portal: PortalServing;
  try {
    const { key } = sessionKey;
    const served = await servePortal({ ...options, webRoot: WEB_ROOT, key, environment, log });
    if (!served.ok) return refuse(served.problem);
    ({ portal } = served);
  } catch (error) {
    logger.fatal(formatStartFailure(error, { ...options, portOption: '--port' }));
    return 'failed';
  }
  logger.info(`the portal serves ${portal.url}`);
  // A parent process with a message channel receives the addresses as a message.
  process.send?.({ listening: portal.address, url: portal.url });
  logger.info({ signal: await stopSignal }, 'draining');
  await portal.drain(DRAIN_TIMEOUT_MS);
  logger.info('stopped');
  return 'succeeded';
}

const refuse = (problem: string): CommandResult => {
  process.stderr.write(`portal: ${problem}\n`);
  return 'refused';
};
