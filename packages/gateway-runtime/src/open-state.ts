import { openStateDirectory, type StateDirectory } from '@gateway/resource-store';
import type { Logger } from 'pino';

/** The directory for what is remembered over restarts. Where it cannot be used that is said once, and everything goes on in memory. */
export async function openState(
  directory: string,
  logger: Logger,
): Promise<StateDirectory | undefined> {
  const opened = await openStateDirectory(directory);
  if (opened.ok) return opened.state;
  logger.warn(
    { stateDirectory: directory },
    `the state directory cannot be used: ${opened.reason}; events and what servers declare are kept in memory only`,
  );
  return undefined;
}
