import {
  boundedTtl,
  ChannelListeners,
  encodeKey,
  requireBoundedValue,
  type SetOptions,
  type StateStore,
  StateStoreError,
} from '../port/state-store.ts';
import { MemoryEntries, type MemoryLimits } from './memory-entries.ts';

/** Options of a store in memory. */
export interface MemoryStoreOptions extends Partial<MemoryLimits> {
  /** The time in milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

const DEFAULT_LIMITS: MemoryLimits = { maxEntries: 500_000, maxBytes: 512 * 1024 * 1024 };

/**
 * Returns a store in the memory of this process. It holds at most 500,000 entries and 512 MiB. Expired entries are removed by later
 * writes; entries that have not expired are never evicted: a full store rejects writes with `full`.
 */
export const createMemoryStore = ({
  now = Date.now,
  ...limits
}: MemoryStoreOptions = {}): StateStore => {
  const entries = new MemoryEntries({ ...DEFAULT_LIMITS, ...limits });
  const listeners = new ChannelListeners();
  let isClosed = false;

  /** Runs an operation at once; its error becomes a rejection. */
  const run = <T>(operation: () => T): Promise<T> =>
    new Promise((resolve) => {
      if (isClosed) throw new StateStoreError('unavailable', 'The state store is closed.');
      resolve(operation());
    });

  const read = (name: string): string | undefined => entries.get(name, now())?.value;

  const write = (name: string, value: string, { ttlMs, group }: SetOptions): void => {
    requireBoundedValue(value);
    const at = now();
    const ttl = boundedTtl(ttlMs);
    const entry = { value, expiresAt: at + ttl, group: group && encodeKey(group) };
    if (ttl === 0) entries.delete(name);
    else entries.set(name, entry, at);
  };

  return {
    get: (key) => run(() => read(encodeKey(key))),
    set: (key, value, options) => run(() => write(encodeKey(key), value, options)),
    add: (key, value, { ttlMs }) =>
      run(() => {
        const name = encodeKey(key);
        const isAbsent = read(name) === undefined;
        if (isAbsent) write(name, value, { ttlMs });
        return isAbsent;
      }),
    replace: (key, value, { ttlMs }) =>
      run(() => {
        const name = encodeKey(key);
        const isThere = read(name) !== undefined;
        if (isThere) write(name, value, { ttlMs });
        return isThere;
      }),
    take: (key) =>
      run(() => {
        const name = encodeKey(key);
        const value = read(name);
        entries.delete(name);
        return value;
      }),
    delete: (key) => run(() => entries.delete(encodeKey(key))),
    deleteIf: (key, value) =>
      run(() => {
        const name = encodeKey(key);
        const isSame = read(name) === value;
        if (isSame) entries.delete(name);
        return isSame;
      }),
    deleteGroup: (group) => run(() => entries.deleteGroup(encodeKey(group))),
    publish: (channel, text) =>
      run(() => {
        requireBoundedValue(text);
        queueMicrotask(() => listeners.notify(channel, text));
      }),
    subscribe: (channel, listener) => listeners.add(channel, listener),
    close: () => {
      isClosed = true;
      entries.clear();
      listeners.clear();
      return Promise.resolve();
    },
  };
};
