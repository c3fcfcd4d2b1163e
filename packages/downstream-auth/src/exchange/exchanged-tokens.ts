import { LRUCache } from 'lru-cache';
import type { Credential } from '../ports/credentials.ts';
import { bearerCredential } from '../id-tokens/bearer-credential.ts';
import type { ExchangeFailure } from './exchange-failure.ts';
import type { ExchangeResult } from './exchange-response.ts';
import { atMost } from '../storage/bounded-cache.ts';

/** A credential with an exchanged token, or the failure. */
export type ExchangedCredential =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly failure: ExchangeFailure };

/** Performs an exchange. Never rejects. */
export type PerformExchange = () => Promise<ExchangeResult>;

interface Entry {
  readonly credential: Credential;
  readonly obtainedAt: number;
  readonly refreshAt: number;
  readonly endsAt: number;
  /** The token replaces one that the server refused. */
  readonly isRenewal: boolean;
}

interface Failed {
  readonly failure: ExchangeFailure;
  readonly until: number;
}

const MAX_CHARS = 64 * 1024 * 1024;
/** A smaller entry counts as this large, so that there are at most 50,000. */
const MIN_ENTRY_CHARS = Math.ceil(MAX_CHARS / 50_000);
const MAX_FAILURES = 10_000;
/** A token is not used in its last seconds, because a request takes time. */
const EARLY_MS = 30_000;
/** A token is replaced in its last minutes, at the latest when half its lifetime is over. */
const REFRESH_MS = 5 * 60_000;
/** Interval between attempts after a failure: that of the first exchange, and that of a replacement. */
const FAILURE_MS = 5_000;
const REFRESH_INTERVAL_MS = 30_000;
/** A replaced token that is refused again within this time is not replaced again. */
const RENEWAL_MS = 30_000;

/**
 * The exchanged tokens of this process, by key. Concurrent exchanges of one key are one exchange. A token is replaced in the background
 * before it expires. Memory is bounded: the least recently used token is evicted.
 */
export class ExchangedTokens {
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<ExchangedCredential>>();
  readonly #failures = new LRUCache<string, Failed>(atMost(MAX_FAILURES));
  readonly #entries = new LRUCache<string, Entry>({
    // Without `max`, for which the library reserves memory.
    maxSize: MAX_CHARS,
    sizeCalculation: ({ credential }, key) =>
      Math.max(MIN_ENTRY_CHARS, credential.authorization.length + key.length),
  });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the credential of a key, synchronously when it is in memory. */
  current(
    key: string,
    perform: PerformExchange,
  ): ExchangedCredential | Promise<ExchangedCredential> {
    const entry = this.#usable(key);
    if (entry === undefined) return this.#obtain(key, perform, false);
    if (this.#now() >= entry.refreshAt && !this.#running.has(key))
      this.#refresh(key, entry, perform);
    return { ok: true, credential: entry.credential };
  }

  /** Replaces a credential that the server refused, once. */
  async renew(
    key: string,
    refused: Credential,
    perform: PerformExchange,
  ): Promise<ExchangedCredential> {
    const entry = this.#usable(key);
    if (entry === undefined) return this.#obtain(key, perform, true);
    const { credential, isRenewal, obtainedAt } = entry;
    if (credential.id !== refused.id) return { ok: true, credential };
    if (isRenewal && this.#now() < obtainedAt + RENEWAL_MS)
      return { ok: false, failure: { code: 'exchange.rejected' } };
    this.#entries.delete(key);
    return this.#obtain(key, perform, true);
  }

  #usable(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#now() < entry.endsAt ? entry : undefined;
  }

  #obtain(
    key: string,
    perform: PerformExchange,
    isRenewal: boolean,
  ): ExchangedCredential | Promise<ExchangedCredential> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const failed = this.#failures.get(key);
    if (failed !== undefined && this.#now() < failed.until)
      return { ok: false, failure: failed.failure };
    return this.#run(key, perform, isRenewal);
  }

  async #run(
    key: string,
    perform: PerformExchange,
    isRenewal: boolean,
  ): Promise<ExchangedCredential> {
    const exchanged = perform()
      .then((result) => this.#settle(key, result, isRenewal))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, exchanged);
    return exchanged;
  }

  /** The current token stays until it ends when its replacement fails. */
  #refresh(key: string, entry: Entry, perform: PerformExchange): void {
    this.#entries.set(key, { ...entry, refreshAt: this.#now() + REFRESH_INTERVAL_MS });
    void this.#run(key, perform, false);
  }

  #settle(key: string, result: ExchangeResult, isRenewal: boolean): ExchangedCredential {
    const now = this.#now();
    if (!result.ok) {
      const { failure } = result;
      // A person who signs in again must not wait.
      if (failure.code !== 'exchange.id-token')
        this.#failures.set(key, { failure, until: now + FAILURE_MS });
      return result;
    }
    const { token, expiresAt } = result.value;
    const credential = bearerCredential(token);
    const lifetime = expiresAt - now;
    this.#failures.delete(key);
    this.#entries.set(key, {
      ...{ credential, isRenewal, obtainedAt: now },
      refreshAt: expiresAt - Math.min(REFRESH_MS, lifetime / 2),
      endsAt: expiresAt - Math.min(EARLY_MS, lifetime / 2),
    });
    return { ok: true, credential };
  }
}
