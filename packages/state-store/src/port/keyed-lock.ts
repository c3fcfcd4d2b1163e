import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StateKey, type StateStore, StateStoreError } from './state-store.ts';

/** Longer than any work under a lock: two requests of 10 s and a few operations of the store. */
const LOCK_MS = 30_000;
const POLL_MS = 25;

/** Runs work that must not run concurrently for one key. */
export type KeyedLock = <T>(key: StateKey, work: () => Promise<T>) => Promise<T>;

/** Thrown when a lock of another process is not released in time. */
export class LockTimeoutError extends StateStoreError {
  constructor() {
    super('unavailable', 'The state store is busy; try again.');
    this.name = 'LockTimeoutError';
  }
}

const acquire = async (store: StateStore, key: StateKey, owner: string): Promise<void> => {
  const deadline = performance.now() + LOCK_MS;
  while (!(await store.add(key, owner, { ttlMs: LOCK_MS }))) {
    if (performance.now() >= deadline) throw new LockTimeoutError();
    await sleep(POLL_MS);
  }
};

/**
 * Creates a lock over all processes of a store. Callers of one process wait in order and poll nothing. The lock of a process that ended
 * expires after 30 s.
 */
export const createKeyedLock = (store: StateStore): KeyedLock => {
  const tails = new Map<string, Promise<unknown>>();
  const locked = async <T>(key: StateKey, work: () => Promise<T>): Promise<T> => {
    const owner = randomUUID();
    await acquire(store, key, owner);
    try {
      return await work();
    } finally {
      await store.deleteIf(key, owner).catch(() => false);
    }
  };
  return (key, work) => {
    const name = JSON.stringify(key);
    const before = tails.get(name) ?? Promise.resolve();
    const run = before.then(() => locked(key, work));
    const tail = run
      .catch(() => undefined)
      .then(() => {
        if (tails.get(name) === tail) tails.delete(name);
      });
    tails.set(name, tail);
    return run;
  };
};
