import process from 'node:process';
import { createStateStore, type CreatedStateStore } from '@gateway/gateway-runtime';
import type { openConfiguration } from '@gateway/gateway-config';
import type { Logger } from 'pino';

export { probeServers, validateStateStore } from '@gateway/gateway-runtime';

/** A configuration that was read. */
export type Opened = Extract<Awaited<ReturnType<typeof openConfiguration>>, { readonly ok: true }>;

/** A store that was opened, and what other processes with its key have in common with this one. */
export type OpenedStore = Extract<CreatedStateStore, { readonly ok: true }>;

/** Opens the store of `state`. When it is refused, writes the problem to stderr, closes the configuration and returns `undefined`. */
export async function openStateStore(
  opened: Opened,
  logger: Logger,
): Promise<OpenedStore | undefined> {
  const { directory, config } = opened;
  const stored = await createStateStore(config.state, {
    directory,
    environment: process.env,
    logger,
  });
  if (stored.ok) return stored;
  process.stderr.write(`${stored.problem}\n`);
  await opened.store.close();
  return undefined;
}
