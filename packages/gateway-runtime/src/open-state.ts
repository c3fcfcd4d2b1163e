import { openStateDirectory, type StateDirectory } from '@gateway/durable-files';
import type { Logger } from 'pino';

/** Opens the directory of state that is kept over restarts. When it is not usable, logs one warning and returns nothing: the state stays in memory. */
export async function openState(
  directory: string,
  logger: Logger,
): Promise<StateDirectory | undefined> {
  const opened = await openStateDirectory(directory);
  if (opened.ok) return opened.state;
  logger.warn(
    { stateDirectory: directory },
    `the state directory cannot be used: ${opened.reason}; events and declared tools stay in memory`,
  );
  return undefined;
}
