import type { IdTokenOutcome, Principal } from '@gateway/call-contract';
import { createGuardedFetch, type GuardedFetch, type ResolveHost } from '@gateway/guarded-fetch';
import { LRUCache } from 'lru-cache';
import type { IssuerSettings } from '../auth-settings.ts';
import type { TokenOutcome, TokenVerifier } from '../tokens/token-verifier.ts';
import { claimCheckOf, principalOfClaims } from './claims.ts';
import { Introspection } from './introspection.ts';
import { discoverKeysUrl, fetchJson, KeySet } from './issuer-keys.ts';
import { JwtVerifier, parseUnverifiedJwt, type UnverifiedJwt } from './jwt-verifier.ts';

interface Stored {
  readonly token: string;
  readonly audiences: readonly string[];
  readonly expiresAt: number;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

const MAX_PRINCIPALS = 10_000;

/** Options of {@link ForwardedTokens}. */
interface ForwardedTokensOptions {
  readonly issuers: readonly Pick<IssuerSettings, 'issuer' | 'forwardable'>[];
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a person has a token after they had none, or one with other audiences. */
  readonly onChanged?: (principal: Principal) => void;
}

/** The latest verified tokens of issuers that permit forwarding, one per person, in the memory of this process. */
export class ForwardedTokens {
  readonly #stored = new LRUCache<string, Stored>({ max: MAX_PRINCIPALS });
  readonly #now: () => number;
  readonly #onChanged: (principal: Principal) => void;
  readonly #notForwardable: ReadonlySet<string>;

  constructor({ issuers, now, onChanged = () => undefined }: ForwardedTokensOptions) {
    this.#now = now;
    this.#onChanged = onChanged;
    this.#notForwardable = new Set(
      issuers.filter(({ forwardable }) => !forwardable).map(({ issuer }) => issuer),
    );
  }

  /** Stores the verified token of a person, unless a stored one expires later. */
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

  /** Returns the token of a person with all these audiences. Never rejects. */
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

const refused = (code: 'malformed' | 'unknown-issuer'): Promise<TokenOutcome> =>
  Promise.resolve({ ok: false, code });

/** Options of {@link createResourceServer}. */
interface ResourceServerOptions {
  readonly issuers: readonly IssuerSettings[];
  /** The audience of tokens where an issuer has no other. */
  readonly resource: string;
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
  const fetch = issuerFetch(options);
  const issuers = new Map<string, IssuerVerifier>();
  let opaque: TokenVerifier | undefined;
  for (const settings of options.issuers) {
    const introspection = await introspectionOf(settings, options, fetch);
    const verifier = introspection ?? jwtVerifierOf(settings, options, fetch);
    issuers.set(settings.issuer, forwarding(verifier, settings, options.forwarded));
    opaque ??= introspection;
  }
  return {
    /** Shows a token to the verifier of its issuer only. */
    verify: (token) => {
      const jwt = parseUnverifiedJwt(token);
      if (jwt === undefined) return opaque?.verify(token) ?? refused('malformed');
      const { iss } = jwt.claims;
      const verifier = typeof iss === 'string' ? issuers.get(iss) : undefined;
      return verifier?.verify(token, jwt) ?? refused('unknown-issuer');
    },
  };
};

/** URLs of the configuration, and those of the same origins, may be private. */
const issuerFetch = ({ issuers, allowPrivate, resolve }: ResourceServerOptions): GuardedFetch => {
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

const rulesOf = (settings: IssuerSettings, { resource }: ResourceServerOptions) => ({
  issuer: settings.issuer,
  audiences: settings.audiences.length === 0 ? [resource] : settings.audiences,
  algorithms: settings.algorithms,
  types: settings.types,
  accepts: claimCheckOf(settings.requiredClaims),
  principalOf: (claims: Parameters<typeof principalOfClaims>[0]) =>
    principalOfClaims(claims, settings),
});

const introspectionOf = async (
  settings: IssuerSettings,
  options: ResourceServerOptions,
  fetch: GuardedFetch,
): Promise<Introspection | undefined> => {
  const { introspection, issuer } = settings;
  if (introspection === undefined) return undefined;
  const { endpoint, clientId: id, clientSecretFile } = introspection;
  return new Introspection({
    ...rulesOf(settings, options),
    endpoint,
    fetch,
    now: options.now,
    client: { id, secret: await options.readSecret(clientSecretFile) },
    onFailure: (error) => options.onUnavailable(issuer, error),
  });
};

const jwtVerifierOf = (
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
  const keys = new KeySet({
    load: async () => {
      const discovered = atStart;
      atStart = undefined;
      return fetchJson(fetch, jwksUri ?? (await (discovered ?? discover())));
    },
    now: () => performance.now(),
    onFailure: (error) => options.onUnavailable(issuer, error),
  });
  return new JwtVerifier({ rules: rulesOf(settings, options), keys, now: options.now });
};

/** Remembers the accepted tokens of an issuer that permits forwarding. */
const forwarding = (
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
