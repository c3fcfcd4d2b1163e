import { StateStoreError, type StateKey, type StateStore } from '@gateway/state-store';

/** Attempts that a person may make within {@link WINDOW_MS}. */
const MAX_ATTEMPTS = 10;

const WINDOW_MS = 60_000;

/** An attempt that is allowed, or the time until the next one. */
export type Attempt =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly limit: number;
      readonly remaining: number;
      readonly retryAfterSeconds: number;
    };

/** The dependencies of {@link AttemptLimit}. */
export interface AttemptLimitDependencies {
  /** Processes with one store count together. */
  readonly store: Pick<StateStore, 'add' | 'get' | 'delete'>;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** The keys under which the attempts of a person are stored. Each entry expires with its attempt. */
const keysOf = (principalKey: string): readonly StateKey[] =>
  Array.from({ length: MAX_ATTEMPTS }, (_, index) => [
    'server-sign-in-attempt',
    principalKey,
    String(index),
  ]);

/** Returns the value, or `otherwise` while the store does not answer: the sign-in itself needs the store and reports it. */
const whileAway = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StateStoreError) return otherwise;
    throw error;
  }
};

/** Limits the sign-ins that a person starts: 10 in a minute, in all processes of a store. */
export class AttemptLimit {
  readonly #dependencies: AttemptLimitDependencies;

  constructor(dependencies: AttemptLimitDependencies) {
    this.#dependencies = dependencies;
  }

  /** Counts an attempt. An attempt beyond the limit is not counted. */
  take(principalKey: string): Promise<Attempt> {
    return whileAway(this.#take(keysOf(principalKey)), { ok: true });
  }

  /** Forgets the attempts of a person who signed in. */
  async reset(principalKey: string): Promise<void> {
    const { store } = this.#dependencies;
    const removed = keysOf(principalKey).map((key) => whileAway(store.delete(key), undefined));
    await Promise.all(removed);
  }

  async #take(keys: readonly StateKey[]): Promise<Attempt> {
    const { store, now } = this.#dependencies;
    const at = now();
    for (const key of keys) {
      if (await store.add(key, String(at), { ttlMs: WINDOW_MS })) return { ok: true };
    }
    const times = await Promise.all(keys.map((key) => store.get(key)));
    const oldest = Math.min(at, ...times.map((time) => Number(time ?? at)));
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - at) / 1000));
    return { ok: false, limit: MAX_ATTEMPTS, remaining: 0, retryAfterSeconds };
  }
}
