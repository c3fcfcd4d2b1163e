export { createMemoryStore } from './memory/create-memory-store.ts';
export { StateStoreError } from './port/state-store-error.ts';
export type { StateKey, StateStore } from './port/state-store.ts';
