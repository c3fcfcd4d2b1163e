import type { StateStore } from '../port/state-store.ts';
import type { RedisStoreOptions } from './redis-options.ts';

/** Resolves to a store of `createRedisStore`. The client library is loaded here, by processes that use it. */
export const openRedisStore = async (options: RedisStoreOptions): Promise<StateStore> => {
  const { createRedisStore } = await import('./create-redis-store.ts');
  return createRedisStore(options);
};
