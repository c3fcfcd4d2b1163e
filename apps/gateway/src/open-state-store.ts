import process from 'node:process';
import { createStateStore, type ListeningGatewayOptions } from '@gateway/gateway-runtime';
import type { openConfiguration } from '@gateway/gateway-config';
import type { Logger } from 'pino';

/** A configuration that was read. */
export type Opened = Extract<Awaited<ReturnType<typeof openConfiguration>>, { readonly ok: true }>;

type Store = NonNullable<ListeningGatewayOptions['stateStore']>;

/** Opens the store of `state`. When it is refused, writes the problem to stderr, closes the configuration and returns `undefined`. */
export async function openStateStore(opened: Opened, logger: Logger): Promise<Store | undefined> {
  const { directory, config } = opened;
  const stored = await createStateStore(config.state, {
    ...{ directory, environment: process.env, logger },
  });
  if (stored.ok) return stored.store;
  process.stderr.write(`${stored.problem}\n`);
  await opened.store.close();
  return undefined;
}
