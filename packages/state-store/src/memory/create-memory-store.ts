import {
  boundedTtl,
  ChannelListeners,
  encodeKey,
  type Lifetime,
  requireBoundedValue,
  type SetOptions,
  type StateKey,
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

/** The operations of the store; they throw a `StateStoreError`. */
class MemoryOperations {
  readonly #entries: MemoryEntries;
  readonly #now: () => number;
  readonly #listeners = new ChannelListeners();
  #isClosed = false;

  constructor({ now = Date.now, ...limits }: MemoryStoreOptions) {
    this.#entries = new MemoryEntries({ ...DEFAULT_LIMITS, ...limits });
    this.#now = now;
  }

  get(key: StateKey): string | undefined {
    this.#requireOpen();
    return this.#entries.get(encodeKey(key), this.#now())?.value;
  }

  set(key: StateKey, value: string, { ttlMs, group }: SetOptions): void {
    this.#requireOpen();
    this.#write(encodeKey(key), value, { ttlMs, ...(group && { group }) });
  }

  add(key: StateKey, value: string, { ttlMs }: Lifetime): boolean {
    this.#requireOpen();
    const encoded = encodeKey(key);
    if (this.#entries.get(encoded, this.#now()) !== undefined) return false;
    this.#write(encoded, value, { ttlMs });
    return true;
  }

  replace(key: StateKey, value: string, { ttlMs }: Lifetime): boolean {
    this.#requireOpen();
    const encoded = encodeKey(key);
    if (this.#entries.get(encoded, this.#now()) === undefined) return false;
    this.#write(encoded, value, { ttlMs });
    return true;
  }

  take(key: StateKey): string | undefined {
    this.#requireOpen();
    const encoded = encodeKey(key);
    const value = this.#entries.get(encoded, this.#now())?.value;
    this.#entries.delete(encoded);
    return value;
  }

  delete(key: StateKey): void {
    this.#requireOpen();
    this.#entries.delete(encodeKey(key));
  }

  deleteIf(key: StateKey, value: string): boolean {
    this.#requireOpen();
    const encoded = encodeKey(key);
    if (this.#entries.get(encoded, this.#now())?.value !== value) return false;
    this.#entries.delete(encoded);
    return true;
  }

  deleteGroup(group: StateKey): void {
    this.#requireOpen();
    this.#entries.deleteGroup(encodeKey(group));
  }

  publish(channel: string, text: string): void {
    this.#requireOpen();
    requireBoundedValue(text);
    queueMicrotask(() => this.#listeners.notify(channel, text));
  }

  subscribe(channel: string, listener: (text: string) => void): () => void {
    return this.#listeners.add(channel, listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#entries.clear();
    this.#listeners.clear();
  }

  #write(key: string, value: string, { ttlMs, group }: SetOptions): void {
    requireBoundedValue(value);
    const now = this.#now();
    const ttl = boundedTtl(ttlMs);
    if (ttl === 0) {
      this.#entries.delete(key);
      return;
    }
    this.#entries.set(key, { value, expiresAt: now + ttl, group: group && encodeKey(group) }, now);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StateStoreError('unavailable', 'The state store is closed.');
  }
}

/** Runs an operation at once; an error becomes a rejection. */
const run = <T>(operation: () => T): Promise<T> =>
  new Promise((resolve) => {
    resolve(operation());
  });

/**
 * Returns a store in the memory of this process. It holds at most 500,000 entries and 512 MiB. Expired entries are removed by later
 * writes; entries that have not expired are never evicted: a full store rejects writes with `full`.
 */
export const createMemoryStore = (options: MemoryStoreOptions = {}): StateStore => {
  const operations = new MemoryOperations(options);
  return {
    get: (key) => run(() => operations.get(key)),
    set: (key, value, setOptions) => run(() => operations.set(key, value, setOptions)),
    add: (key, value, lifetime) => run(() => operations.add(key, value, lifetime)),
    replace: (key, value, lifetime) => run(() => operations.replace(key, value, lifetime)),
    take: (key) => run(() => operations.take(key)),
    delete: (key) => run(() => operations.delete(key)),
    deleteIf: (key, value) => run(() => operations.deleteIf(key, value)),
    deleteGroup: (group) => run(() => operations.deleteGroup(group)),
    publish: (channel, text) => run(() => operations.publish(channel, text)),
    subscribe: (channel, listener) => operations.subscribe(channel, listener),
    close: () => run(() => operations.close()),
  };
};
