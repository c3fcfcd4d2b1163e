import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { type GuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { OAuthAnswerError, readOAuthDocument } from '@gateway/service-host';
import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';

/** The endpoint of an issuer does not answer as its protocol requires. The message names neither tokens nor answers. */
export class IssuerUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IssuerUnavailable';
  }
}

/** A request for a JSON object. */
interface JsonRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests a JSON object; members that are `null` count as absent. Rejects with {@link IssuerUnavailable}. */
export const fetchJson = async (
  fetch: GuardedFetch,
  url: string,
  init: JsonRequest = {},
): Promise<JsonObject> => {
  const headers = { accept: 'application/json', ...init.headers };
  try {
    return await readOAuthDocument(await fetch(url, { ...init, headers }));
  } catch (error) {
    const isKnown = error instanceof GuardedFetchError || error instanceof OAuthAnswerError;
    const reason = isKnown ? error.message : 'no valid answer';
    throw new IssuerUnavailable(`${readHost(url)}: ${reason}`, { cause: error });
  }
};

const readHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the issuer');

/**
 * Returns the URLs at which the metadata of an issuer may be, in the order in which they are asked: the forms of RFC 8414 §3.1 and
 * OpenID Connect Discovery §4 for an issuer with a path, and the same for one without.
 */
const listMetadataUrls = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
};

/** Metadata that answers and names something else than the configuration does. */
class WrongMetadata extends IssuerUnavailable {}

/**
 * Returns the URL of the keys of an issuer from its metadata. The `issuer` of the metadata is compared as a string. RFC 8414 §3.3
 * Rejects with {@link IssuerUnavailable} when no form of the URL has such metadata.
 */
export const discoverKeysUrl = async (fetch: GuardedFetch, issuer: string): Promise<string> => {
  let failure: unknown;
  for (const url of listMetadataUrls(issuer)) {
    try {
      return readKeysUrl(await fetchJson(fetch, url), issuer);
    } catch (error) {
      // It says more than that another form of the URL has no metadata.
      if (!(failure instanceof WrongMetadata)) failure = error;
    }
  }
  if (failure instanceof WrongMetadata) throw failure;
  const reason = failure instanceof Error ? failure.message : 'no answer';
  throw new IssuerUnavailable(`the metadata of ${issuer} cannot be read: ${reason}`, {
    cause: failure,
  });
};

const trimSlash = (issuer: string): string => issuer.replace(/\/$/, '');

const readKeysUrl = (metadata: JsonObject, issuer: string): string => {
  const { issuer: named } = metadata;
  if (typeof named === 'string' && named !== issuer && trimSlash(named) === trimSlash(issuer))
    throw new WrongMetadata(
      `the metadata of ${issuer} names the issuer ${named}: the slash at the end differs; configure ${named}`,
    );
  if (named !== issuer)
    throw new WrongMetadata(`the metadata of ${issuer} names another issuer; configure that one`);
  const url = metadata['jwks_uri'];
  if (typeof url === 'string' && URL.canParse(url)) return url;
  throw new WrongMetadata(`the metadata of ${issuer} names no keys`);
};

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
  readonly #fetch: () => Promise<JsonObject>;
  readonly #now: () => number;
  readonly #onFailure: (error: unknown) => void;
  #keys: LocalKeys | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #failure: unknown;

  /**
   * @param fetch requests the key set; rejects with {@link IssuerUnavailable}
   * @param now the clock, in milliseconds, monotonic
   * @param onFailure called with the failure of a request; an earlier answer stays in use
   */
  constructor(
    fetch: () => Promise<JsonObject>,
    now: () => number,
    onFailure: (error: unknown) => void,
  ) {
    this.#fetch = fetch;
    this.#now = now;
    this.#onFailure = onFailure;
  }

  /** Returns the key of a token. Rejects with an error of jose when there is none, or with {@link IssuerUnavailable}. */
  readonly findKey: LocalKeys = async (header, token) => {
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
    return this.#now() - this.#loadedAt;
  }

  get #mayReload(): boolean {
    return this.#loading !== undefined || this.#now() - this.#triedAt >= MIN_INTERVAL_MS;
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
    this.#triedAt = this.#now();
    try {
      this.#keys = createLocalJWKSet(parseKeySet(await this.#fetch()));
      this.#loadedAt = this.#now();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      this.#onFailure(error);
    }
  }
}

/** Returns the document as a key set of objects with a type. RFC 7517 §5 */
const parseKeySet = ({ keys }: JsonObject): JSONWebKeySet => {
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new IssuerUnavailable('the answer of the issuer is not a key set');
  const found = keys.filter(
    (key: unknown): key is JSONWebKeySet['keys'][number] =>
      isJsonObject(key) && typeof key['kty'] === 'string',
  );
  return { keys: found };
};
