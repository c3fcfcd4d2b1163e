import {
  Introspection,
  JwtVerifier,
  parseUnverifiedJwt,
  type TokenRules,
  type UnverifiedJwt,
} from './token-verifiers.ts';
import type { IdTokenOutcome, JsonObject, Principal } from '@gateway/call-contract';
import { createGuardedFetch, type GuardedFetch, type ResolveHost } from '@gateway/guarded-fetch';
import { LRUCache } from 'lru-cache';
import type { IssuerSettings } from '../auth-settings.ts';
import type { TokenOutcome, TokenVerifier } from '../auth-backend.ts';
import { createClaimCheck, readPrincipal } from './claims.ts';
import { discoverKeysUrl, fetchJson, KeySet } from './issuer-keys.ts';

interface Stored {
  readonly token: string;
  readonly audiences: readonly string[];
  readonly expiresAt: number;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

const MAX_PRINCIPALS = 10_000;

/** The latest verified tokens of issuers that permit forwarding, one per user, in the memory of this process. */
export class ForwardedTokens {
  readonly #stored = new LRUCache<string, Stored>({ max: MAX_PRINCIPALS });
  readonly #now: () => number;
  readonly #onChanged: (principal: Principal) => void;
  readonly #notForwardable: ReadonlySet<string>;

  /**
   * @param now the clock, in milliseconds since the epoch
   * @param onChanged called when a user has a token after they had none, or one with other audiences
   */
  constructor(
    issuers: readonly Pick<IssuerSettings, 'issuer' | 'forwardable'>[],
    now: () => number,
    onChanged: (principal: Principal) => void = () => undefined,
  ) {
    this.#now = now;
    this.#onChanged = onChanged;
    this.#notForwardable = new Set(
      issuers.filter(({ forwardable }) => !forwardable).map(({ issuer }) => issuer),
    );
  }

  /** Stores the verified token of a user, unless a stored one expires later. */
  store(principal: Principal, token: string, expiresAt: number): void {
    const { key } = principal;
    const stored = this.#stored.get(key);
    if (stored !== undefined && stored.expiresAt >= expiresAt) return;
    const aud = parseUnverifiedJwt(token)?.claims['aud'];
    const audiences = (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string');
    this.#stored.set(key, { token, audiences, expiresAt });
    const isKnown = stored !== undefined && stored.expiresAt > this.#now();
    if (!isKnown || !isSame(stored.audiences, audiences)) this.#onChanged(principal);
  }

  /** Returns the token of a user with all these audiences. Never rejects. */
  idToken(
    { key, issuer }: Principal,
    { audiences }: { readonly audiences: readonly string[] },
  ): Promise<IdTokenOutcome> {
    const isForwardable = issuer === undefined || !this.#notForwardable.has(issuer);
    return Promise.resolve(
      isForwardable ? this.#find(key, audiences) : { ok: false, code: 'not-forwardable' },
    );
  }

  #find(key: string, wanted: readonly string[]): IdTokenOutcome {
    const stored = this.#stored.get(key);
    if (stored === undefined || stored.expiresAt <= this.#now())
      return { ok: false, code: 'signed-out' };
    const audience = wanted.find((one) => !stored.audiences.includes(one));
    if (audience !== undefined) return { ok: false, code: 'audience-missing', audience };
    return { ok: true, token: stored.token, expiresAt: stored.expiresAt };
  }
}

/** Verifies the JSON Web Tokens of one issuer. */
interface IssuerVerifier {
  verify(token: string, unverified: UnverifiedJwt): Promise<TokenOutcome>;
}

const refuseToken = (code: 'malformed' | 'unknown-issuer'): Promise<TokenOutcome> =>
  Promise.resolve({ ok: false, code });

interface ResourceServerOptions {
  readonly issuers: readonly IssuerSettings[];
  /** The audience of tokens where an issuer has no other. */
  readonly resource: string;
  readonly adminGroups: readonly string[];
  /** Permits private addresses in URLs that metadata names. */
  readonly allowPrivate: boolean;
  /** Reads a file with a secret, without the line break at its end. */
  readonly readSecret: (file: string) => Promise<string>;
  readonly forwarded: ForwardedTokens;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when an issuer does not answer; the error contains no secrets. */
  readonly onUnavailable: (issuer: string, error: unknown) => void;
  readonly resolve?: ResolveHost | undefined;
}

const MAX_DOCUMENT_BYTES = 256 * 1024;
const REQUEST_TIMEOUT_MS = 5_000;

/** Returns the verifier of the tokens of trusted issuers. Their endpoints are asked when a token needs it. Rejects when a secret cannot be read. */
export const createResourceServer = async (
  options: ResourceServerOptions,
): Promise<TokenVerifier> => {
  const fetch = createIssuerFetch(options);
  const issuers = new Map<string, IssuerVerifier>();
  let opaque: TokenVerifier | undefined;
  for (const settings of options.issuers) {
    const introspection = await createIntrospection(settings, options, fetch);
    const verifier = introspection ?? createJwtVerifier(settings, options, fetch);
    issuers.set(settings.issuer, wrapVerifier(verifier, settings, options.forwarded));
    opaque ??= introspection;
  }
  return {
    /** Shows a token to the verifier of its issuer only. */
    verify: (token) => {
      const jwt = parseUnverifiedJwt(token);
      if (jwt === undefined) return opaque?.verify(token) ?? refuseToken('malformed');
      const { iss } = jwt.claims;
      const verifier = typeof iss === 'string' ? issuers.get(iss) : undefined;
      return verifier?.verify(token, jwt) ?? refuseToken('unknown-issuer');
    },
  };
};

/** URLs of the configuration, and those of the same origins, may be private. */
const createIssuerFetch = ({
  issuers,
  allowPrivate,
  resolve,
}: ResourceServerOptions): GuardedFetch => {
  const origins = new Set(
    issuers
      .flatMap(({ issuer, jwksUri, introspection }) => [issuer, jwksUri, introspection?.endpoint])
      .flatMap((url) => (url === undefined ? [] : [new URL(url).origin])),
  );
  return createGuardedFetch({
    allowPrivate: (url) => allowPrivate || origins.has(url.origin),
    maxBytes: MAX_DOCUMENT_BYTES,
    timeoutMs: REQUEST_TIMEOUT_MS,
    ...(resolve !== undefined && { resolve }),
  });
};

const createRules = (
  settings: IssuerSettings,
  { resource, adminGroups }: ResourceServerOptions,
): TokenRules => ({
  ...settings,
  audiences: settings.audiences.length === 0 ? [resource] : settings.audiences,
  accepts: createClaimCheck(settings.requiredClaims),
  toPrincipal: (claims) => readPrincipal(claims, { ...settings, adminGroups }),
});

const createIntrospection = async (
  settings: IssuerSettings,
  options: ResourceServerOptions,
  fetch: GuardedFetch,
): Promise<Introspection | undefined> => {
  const { introspection, issuer } = settings;
  if (introspection === undefined) return undefined;
  const { endpoint: url, clientId, clientSecretFile } = introspection;
  const clientSecret = await options.readSecret(clientSecretFile);
  return new Introspection(
    createRules(settings, options),
    { url, clientId, clientSecret, fetch },
    options.now,
    (error) => options.onUnavailable(issuer, error),
  );
};

const createJwtVerifier = (
  settings: IssuerSettings,
  options: ResourceServerOptions,
  fetch: GuardedFetch,
): JwtVerifier => {
  const { issuer, jwksUri } = settings;
  const discover = (): Promise<string> => discoverKeysUrl(fetch, issuer);
  // A wrong issuer is reported at the start, not only with the first token. Nothing waits for it.
  let atStart = jwksUri === undefined ? discover() : undefined;
  atStart?.catch((error: unknown) => {
    // A token that waits for the request reports its failure.
    if (atStart === undefined) return;
    atStart = undefined;
    options.onUnavailable(issuer, error);
  });
  const fetchKeys = async (): Promise<JsonObject> => {
    const discovered = atStart;
    atStart = undefined;
    return fetchJson(fetch, jwksUri ?? (await (discovered ?? discover())));
  };
  const keys = new KeySet(
    fetchKeys,
    () => performance.now(),
    (error) => options.onUnavailable(issuer, error),
  );
  return new JwtVerifier(createRules(settings, options), keys, options.now);
};

/** Remembers the accepted tokens of an issuer that permits forwarding. */
const wrapVerifier = (
  verifier: IssuerVerifier,
  { forwardable }: IssuerSettings,
  forwarded: ForwardedTokens,
): IssuerVerifier => {
  if (!forwardable) return verifier;
  return {
    verify: async (token, unverified): Promise<TokenOutcome> => {
      const outcome = await verifier.verify(token, unverified);
      if (outcome.ok) forwarded.store(outcome.principal, token, outcome.expiresAt);
      return outcome;
    },
  };
};
