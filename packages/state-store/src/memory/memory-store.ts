import {
  computeTtl,
  ChannelListeners,
  encodeKey,
  EVICTED_GROUP_ENTRIES,
  MAX_GROUP_ENTRIES,
  requireBoundedValue,
  type SetOptions,
  type StateStore,
  StateStoreError,
} from '../port/state-store.ts';

interface Expiry {
  readonly at: number;
  readonly key: string;
}

/** Keys in the order of their expiry: a binary heap. */
class ExpiryQueue {
  readonly #heap: Expiry[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(key: string, at: number): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push({ at, key });
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= at) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Removes and returns the first key that expires at `now` or before, or returns undefined. */
  removeExpired(now: number): string | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first.key;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(index) <= this.#at(child)) return;
      this.#swap(index, child);
      index = child;
    }
  }

  /** The time at a place of the heap; after its end, infinity. */
  #at(index: number): number {
    return this.#heap[index]?.at ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b] as Expiry, heap[a] as Expiry];
  }
}

interface MemoryEntry {
  readonly value: string;
  /** Time in milliseconds from which it does not exist. */
  readonly expiresAt: number;
  readonly group: string | undefined;
}

/** Limits of a store in memory. */
interface MemoryLimits {
  readonly maxEntries: number;
  /** Characters of keys and values in UTF-16 code units, two bytes each, and 200 bytes per entry. */
  readonly maxBytes: number;
}

const BYTES_PER_ENTRY = 200;

const computeSize = (key: string, { value, group }: MemoryEntry): number =>
  BYTES_PER_ENTRY + 2 * (key.length + value.length + (group?.length ?? 0));

/**
 * Entries with an expiry and groups, within limits. Expired entries are removed by the next write: no timer runs. An entry that has not
 * expired is never evicted, except from a full group; beyond the other limits, writes fail.
 */
class MemoryEntries {
  readonly #limits: MemoryLimits;
  readonly #entries = new Map<string, MemoryEntry>();
  readonly #groups = new Map<string, Set<string>>();
  readonly #expiries = new ExpiryQueue();
  #bytes = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  get(key: string, now: number): MemoryEntry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.expiresAt > now ? entry : undefined;
  }

  set(key: string, entry: MemoryEntry, now: number): void {
    this.#removeExpired(now);
    this.#requireSpace(key, entry);
    if (entry.group !== undefined) this.#limitGroup(entry.group, key);
    this.delete(key);
    this.#entries.set(key, entry);
    this.#bytes += computeSize(key, entry);
    this.#expiries.add(key, entry.expiresAt);
    if (entry.group !== undefined) this.#join(entry.group, key);
    this.#dropOutdatedExpiries();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= computeSize(key, entry);
    if (entry.group !== undefined) this.#leave(entry.group, key);
  }

  deleteGroup(group: string): void {
    for (const key of [...(this.#groups.get(group) ?? [])]) this.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#groups.clear();
    this.#expiries.clear();
    this.#bytes = 0;
  }

  #requireSpace(key: string, entry: MemoryEntry): void {
    const previous = this.#entries.get(key);
    const entries = this.#entries.size + (previous === undefined ? 1 : 0);
    const bytes =
      this.#bytes +
      computeSize(key, entry) -
      (previous === undefined ? 0 : computeSize(key, previous));
    if (entries > this.#limits.maxEntries || bytes > this.#limits.maxBytes) {
      throw new StateStoreError(
        'full',
        'The state store in memory is full: wait until entries expire, or use Redis or Valkey.',
      );
    }
  }

  /** A set has its members in the order in which they were written. */
  #limitGroup(group: string, key: string): void {
    const members = this.#groups.get(group);
    if (members === undefined || members.has(key) || members.size < MAX_GROUP_ENTRIES) return;
    for (const member of [...members].slice(0, EVICTED_GROUP_ENTRIES)) this.delete(member);
  }

  #removeExpired(now: number): void {
    for (;;) {
      const key = this.#expiries.removeExpired(now);
      if (key === undefined) return;
      const entry = this.#entries.get(key);
      if (entry !== undefined && entry.expiresAt <= now) this.delete(key);
    }
  }

  /** An entry that was written again or deleted leaves its expiry behind; the queue is built again when most are such. */
  #dropOutdatedExpiries(): void {
    if (this.#expiries.size <= 2 * this.#entries.size + 64) return;
    this.#expiries.clear();
    for (const [key, { expiresAt }] of this.#entries) this.#expiries.add(key, expiresAt);
  }

  #join(group: string, key: string): void {
    const members = this.#groups.get(group);
    if (members === undefined) this.#groups.set(group, new Set([key]));
    else members.add(key);
  }

  #leave(group: string, key: string): void {
    const members = this.#groups.get(group);
    if (members === undefined) return;
    members.delete(key);
    if (members.size === 0) this.#groups.delete(group);
  }
}

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
    const ttl = computeTtl(ttlMs);
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
