import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import { IssuerUnavailable } from './json-document.ts';

/** The dependencies of {@link KeySet}. */
export interface KeySetDependencies {
  /** Requests the key set. Rejects with {@link IssuerUnavailable}. */
  readonly load: () => Promise<JsonObject>;
  /** Returns the time in milliseconds, monotonic. */
  readonly now: () => number;
  /** Called with the failure of a request; an earlier answer stays in use. */
  readonly onFailure?: (error: unknown) => void;
}

type LocalKeys = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** Age from which the keys are requested again, so that removed keys end. */
const MAX_AGE_MS = 10 * 60_000;

/** Least time between two requests. A token with an unknown key causes one request at most in this time. */
const MIN_INTERVAL_MS = 10_000;

/** Age until which keys are used while their endpoint does not answer. */
const MAX_STALE_MS = 24 * 60 * 60_000;

const MAX_KEYS = 256;

/** The public keys of one issuer: requested once at a time, not more often than every 10 s, kept while their endpoint is away. */
export class KeySet {
  readonly #dependencies: KeySetDependencies;
  #keys: LocalKeys | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #failure: unknown;

  constructor(dependencies: KeySetDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the key of a token. Rejects with an error of jose when there is none, or with {@link IssuerUnavailable}. */
  readonly keyOf: LocalKeys = async (header, token) => {
    if (this.#age > MAX_AGE_MS) await this.#reload();
    const keys = this.#current();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayReload) throw error;
      await this.#reload();
      return this.#current()(header, token);
    }
  };

  get #age(): number {
    return this.#dependencies.now() - this.#loadedAt;
  }

  get #mayReload(): boolean {
    return (
      this.#loading !== undefined || this.#dependencies.now() - this.#triedAt >= MIN_INTERVAL_MS
    );
  }

  #current(): LocalKeys {
    if (this.#keys !== undefined && this.#age <= MAX_STALE_MS) return this.#keys;
    throw new IssuerUnavailable('the keys of the issuer are not available', {
      cause: this.#failure,
    });
  }

  /** Requests the keys unless that was tried a short time ago; never rejects. */
  #reload(): Promise<void> {
    if (!this.#mayReload) return Promise.resolve();
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    this.#triedAt = this.#dependencies.now();
    try {
      this.#keys = createLocalJWKSet(keySetIn(await this.#dependencies.load()));
      this.#loadedAt = this.#dependencies.now();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      this.#dependencies.onFailure?.(error);
    }
  }
}

/** Returns the document as a key set of objects with a type. RFC 7517 §5 */
const keySetIn = ({ keys }: JsonObject): JSONWebKeySet => {
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new IssuerUnavailable('the answer of the issuer is not a key set');
  const found = keys.filter(
    (key: unknown): key is JSONWebKeySet['keys'][number] =>
      isJsonObject(key) && typeof key['kty'] === 'string',
  );
  return { keys: found };
};
