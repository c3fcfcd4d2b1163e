export {
  createEncryptedStore,
  parseStateKey,
  type StateEncryptionKeys,
} from './encryption/encrypted-store.ts';
export { createMemoryStore } from './memory/memory-store.ts';
export { createKeyedLock, type KeyedLock, LockTimeoutError } from './port/keyed-lock.ts';
export { type StateKey, type StateStore, StateStoreError } from './port/state-store.ts';
export { openRedisStore } from './redis/open-redis-store.ts';
export { validateRedisUrl } from './redis/redis-options.ts';
