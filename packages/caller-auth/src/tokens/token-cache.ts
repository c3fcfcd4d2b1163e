import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface Entry<V> {
  readonly value: V;
  readonly until: number;
}

/** Values by token, bounded in number and time. Tokens are stored as SHA-256 hashes. */
export class TokenCache<V extends object> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since the epoch */
  constructor(max: number, now: () => number) {
    this.#entries = new LRUCache({ max });
    this.#now = now;
  }

  /** Number of values, expired ones included. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value of a token by its hash, see {@link hashOfToken}. */
  get(hash: string): V | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return undefined;
    if (entry.until > this.#now()) return entry.value;
    this.#entries.delete(hash);
    return undefined;
  }

  /** Stores a value until a time in milliseconds since the epoch. */
  set(hash: string, value: V, until: number): void {
    if (until > this.#now()) this.#entries.set(hash, { value, until });
  }

  /** Removes all values. */
  clear(): void {
    this.#entries.clear();
  }
}

/** Returns the hash under which a token is stored. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'base64');
