import { createGuardedFetch, type GuardedFetch, type ResolveHost } from '@gateway/guarded-fetch';
import type { TokenOutcome, TokenVerifier } from '../tokens/token-verifier.ts';
import { claimCheckOf } from './claim-patterns.ts';
import type { ForwardedTokens } from './forwarded-tokens.ts';
import { Introspection } from './introspection.ts';
import { discoverKeysUrl } from './issuer-metadata.ts';
import type { IssuerSettings } from './issuer-settings.ts';
import { fetchJson } from './json-document.ts';
import { JwtVerifier } from './jwt-verifier.ts';
import { KeySet } from './key-set.ts';
import { principalOfClaims } from './principal-of-claims.ts';
import { ResourceServer, type IssuerVerifier } from './resource-server.ts';

/** Options of {@link createResourceServer}. */
export interface ResourceServerOptions {
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
  return new ResourceServer({ issuers, opaque });
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
    ...{ endpoint, fetch, now: options.now },
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
