import { openKeyFile, openStateDirectory, type StateDirectory } from '@gateway/files';
import type { Logger } from 'pino';
import path from 'node:path';

/** The state directory of a gateway. */
export interface SessionKeyPlace {
  readonly directory: string;
  /** This process holds the lock of the directory. */
  readonly isLocked: boolean;
}

/**
 * Returns the key in the state directory that signs session ids, so that sessions survive a restart, and creates it on the first
 * start. Returns `undefined`, with a warning, when it cannot be used: sessions then end with this process.
 */
export async function openSessionKey(
  { directory, isLocked }: SessionKeyPlace,
  logger: Logger,
): Promise<Uint8Array | undefined> {
  const file = path.join(directory, 'session-key');
  const opened = await openKeyFile(file, { mayReplace: isLocked });
  if (!opened.ok) {
    const text = `the session key in the state directory cannot be used: ${opened.reason}; sessions end with this process`;
    logger.warn({ stateDirectory: directory }, text);
    return undefined;
  }
  if (opened.replaced !== undefined) {
    const text = `the session key in the state directory was replaced, because ${opened.replaced}; earlier sessions have ended`;
    logger.warn({ stateDirectory: directory }, text);
  }
  return opened.key;
}

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
