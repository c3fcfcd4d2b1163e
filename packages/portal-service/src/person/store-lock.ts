import { randomBytes } from 'node:crypto';
import type { StateKey, StateStore } from '@gateway/state-store';

/** Ends a lock. */
export type Unlock = () => Promise<void>;

/** Locks a key for all replicas; undefined while another one has the lock. */
export const lockInStore = async (
  store: StateStore,
  key: StateKey,
  ttlMs: number,
): Promise<Unlock | undefined> => {
  const holder = randomBytes(16).toString('base64url');
  if (!(await store.add(key, holder, { ttlMs }))) return undefined;
  return async () => {
    await store.deleteIf(key, holder);
  };
};
