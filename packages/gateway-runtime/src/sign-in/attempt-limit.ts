import { LRUCache } from 'lru-cache';

/** Attempts that a person may make within {@link WINDOW_MS}. */
const MAX_ATTEMPTS = 10;

const WINDOW_MS = 60_000;

/** Maximum number of persons whose attempts are counted; those of the least recent one are forgotten. */
const MAX_PERSONS = 10_000;

/** An attempt that is allowed, or the time until the next one. */
export type Attempt =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly limit: number;
      readonly remaining: number;
      readonly retryAfterSeconds: number;
    };

/** Limits the sign-ins that a person starts: 10 in a minute. */
export class AttemptLimit {
  readonly #now: () => number;
  /** Times of the attempts of the last minute, by the key of the person. */
  readonly #attempts = new LRUCache<string, readonly number[]>({ max: MAX_PERSONS });

  /** @param now returns the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts an attempt. An attempt beyond the limit is not counted. */
  take(principalKey: string): Attempt {
    const now = this.#now();
    const recent = (this.#attempts.get(principalKey) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= MAX_ATTEMPTS) {
      const retryAfterSeconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
      return { ok: false, limit: MAX_ATTEMPTS, remaining: 0, retryAfterSeconds };
    }
    this.#attempts.set(principalKey, [...recent, now]);
    return { ok: true };
  }

  /** Forgets the attempts of a person who signed in. */
  reset(principalKey: string): void {
    this.#attempts.delete(principalKey);
  }
}
