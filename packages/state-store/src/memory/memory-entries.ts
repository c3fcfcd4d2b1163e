import { EVICTED_GROUP_ENTRIES, MAX_GROUP_ENTRIES } from '../port/limits.ts';
import { StateStoreError } from '../port/state-store-error.ts';
import { ExpiryQueue } from './expiry-queue.ts';

/** One value in memory. */
export interface MemoryEntry {
  readonly value: string;
  /** Time in milliseconds from which it does not exist. */
  readonly expiresAt: number;
  readonly group: string | undefined;
}

/** Limits of a store in memory. */
export interface MemoryLimits {
  readonly maxEntries: number;
  /** Characters of keys and values in UTF-16 code units, two bytes each, and 200 bytes per entry. */
  readonly maxBytes: number;
}

const BYTES_PER_ENTRY = 200;

const sizeOf = (key: string, { value, group }: MemoryEntry): number =>
  BYTES_PER_ENTRY + 2 * (key.length + value.length + (group?.length ?? 0));

/**
 * Entries with an expiry and groups, within limits. Expired entries are removed by the next write: no timer runs. An entry that has not
 * expired is never evicted, except from a full group; beyond the other limits, writes fail.
 */
export class MemoryEntries {
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
    this.#bytes += sizeOf(key, entry);
    this.#expiries.add(key, entry.expiresAt);
    if (entry.group !== undefined) this.#join(entry.group, key);
    this.#dropOutdatedExpiries();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(key, entry);
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
      this.#bytes + sizeOf(key, entry) - (previous === undefined ? 0 : sizeOf(key, previous));
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
