export { encryptedStore } from './encryption/encrypted-store.ts';
export { parseStateKey } from './encryption/encrypted-store.ts';
export type { StateEncryptionKeys } from './encryption/encrypted-store.ts';
export { createMemoryStore } from './memory/create-memory-store.ts';
export { createKeyedLock, type KeyedLock, LockTimeoutError } from './port/keyed-lock.ts';
export { StateStoreError } from './port/state-store.ts';
export type { StateKey, StateStore } from './port/state-store.ts';
export { openRedisStore } from './redis/open-redis-store.ts';
export { redisUrlProblem } from './redis/redis-options.ts';
