import { openStateDirectory, type StateDirectory } from '@gateway/files';
import type { Logger } from 'pino';

/** Opens the directory for state that survives restarts. If it cannot be used, logs one warning and returns `undefined`: the state stays in memory. */
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
