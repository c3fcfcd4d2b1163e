import { randomUUID } from 'node:crypto';
import { createLogger } from '@gateway/service-host';
import type { GatewayConfig } from '@gateway/gateway-config';
import { createStateStore, type StateStoreDependencies } from './create-state-store.ts';

const LIFETIME = { ttlMs: 60_000 };

/** Where the keys and passwords of a store are. */
export type StateProblemOptions = Omit<StateStoreDependencies, 'logger'>;

/**
 * Writes, reads and deletes a value in the store that `state` describes. Returns the sentence of the first failure, or `undefined`. It does not
 * find out whether other processes use another state key: their values have other names. Never rejects.
 */
export const stateProblem = async (
  config: GatewayConfig['state'],
  options: StateProblemOptions,
): Promise<string | undefined> => {
  const logger = createLogger({ format: 'json', level: 'error' });
  const created = await createStateStore(config, { ...options, logger });
  if (!created.ok) return created.problem;
  const { store } = created;
  const value = randomUUID();
  const key = ['diagnosis', value] as const;
  try {
    await store.set(key, value, LIFETIME);
    const read = await store.get(key);
    await store.delete(key);
    return read === value
      ? undefined
      : 'The state store did not return the value that was written.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await store.close();
  }
};
