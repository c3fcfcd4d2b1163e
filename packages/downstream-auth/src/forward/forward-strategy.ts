import type {
  IdTokenSource,
  Principal,
  IdTokenRequirements,
  Credential,
  CredentialOutcome,
  NoCredential,
  Rejection,
} from '@gateway/call-contract';
import { LRUCache } from 'lru-cache';
import type { McpServer } from '@gateway/crd-schemas';
import type { TokenStrategy } from '../ports/credentials.ts';
import type { ServerSignInObserver } from '../ports/sign-in.ts';
import {
  createBearerCredential,
  findIdToken,
  ID_TOKEN_PROBLEMS,
  type IdTokenProblem,
  toIdTokenRefusal,
  isBearerToken,
  isSignedOut,
  readUnverifiedClaims,
} from '../id-tokens/id-token.ts';
import { createCacheLimit } from '../storage/state.ts';

export interface ForwardStrategyDependencies {
  readonly idTokens: IdTokenSource | undefined;
  readonly observe: ServerSignInObserver;
  readonly now: () => number;
}

/** A server that must not get the ID token, or that refuses it. */
type ForwardRefusal = { readonly code: 'forward.rejected' } | { readonly code: 'forward.scope' };

const forwardRefusalText = (refusal: ForwardRefusal): string => {
  switch (refusal.code) {
    case 'forward.rejected':
      return 'the server refuses your ID token: it must trust the client ID of the gateway, or requiredAudiences must name its audience; sign in to the gateway again';
    case 'forward.scope':
      return 'the server requires a scope, which an ID token does not have: use tokenExchange or type oauth';
  }
};

const CODES: Readonly<Record<ForwardRefusal['code'], NoCredential['code']>> = {
  'forward.rejected': 'sign-in-again',
  'forward.scope': 'unavailable',
};

const createRefusal = (refusal: ForwardRefusal): NoCredential => ({
  ok: false,
  code: CODES[refusal.code],
  reason: forwardRefusalText(refusal),
});

/** The problems in the words of operators. */
const PROBLEMS: Readonly<Record<ForwardRefusal['code'] | IdTokenProblem['code'], string>> = {
  ...ID_TOKEN_PROBLEMS,
  'forward.rejected': 'the server refuses the ID token',
  'forward.scope': 'the server requires a scope',
};

/** Time for which a token is used without asking the source again. */
const FRESH_MS = 10_000;
const MAX_TOKENS = 10_000;
/** A token that a server refused is renewed at most once in this time, for each user and server. */
const RENEWAL_MS = 30_000;
const MAX_RENEWALS = 10_000;
const SCHEME = /^Bearer /u;

/** Verifies the promises of the source, because a wrong token must not leave the gateway. */
const findProblem = (
  token: string,
  audiences: readonly string[],
  now: number,
): IdTokenProblem | undefined => {
  const claims = isBearerToken(token) ? readUnverifiedClaims(token) : undefined;
  if (claims === undefined) return { code: 'unavailable' };
  if ((claims.expiresAt ?? 0) <= now) return { code: 'expired' };
  const audience = audiences.find((each) => !claims.aud.includes(each));
  return audience === undefined ? undefined : { code: 'audience-missing', audience };
};

interface Usable {
  readonly credential: Credential;
  readonly until: number;
}

interface Target {
  readonly server: string;
  readonly principal: Principal;
  readonly audiences: readonly string[];
  readonly key: string;
}

const createTarget = ({ metadata, spec }: McpServer, principal: Principal): Target => {
  if (spec.type === 'stdio') throw new Error(`${metadata.name} has no URL`);
  const { requiredAudiences: audiences } = spec.auth;
  const { url } = spec;
  const { name: server } = metadata;
  return {
    server,
    principal,
    audiences,
    key: JSON.stringify([principal.key, url, audiences]),
  };
};

/** Sends the ID token of a user, never one without each of `requiredAudiences`. @spec §2.6 forwardToken, requiredAudiences */
export class ForwardStrategy implements TokenStrategy {
  readonly #dependencies: ForwardStrategyDependencies;
  readonly #usable = new LRUCache<string, Usable>(createCacheLimit(MAX_TOKENS));
  readonly #renewing = new Map<string, Promise<CredentialOutcome>>();
  readonly #renewedAt = new LRUCache<string, number>(createCacheLimit(MAX_RENEWALS));

  constructor(dependencies: ForwardStrategyDependencies) {
    this.#dependencies = dependencies;
  }

  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome> {
    const target = createTarget(server, principal);
    const known = this.#usable.get(target.key);
    return known !== undefined && this.#dependencies.now() < known.until
      ? { ok: true, credential: known.credential }
      : this.#find(target, {});
  }

  async renewRejected(
    server: McpServer,
    principal: Principal,
    { status, credential }: Rejection,
  ): Promise<CredentialOutcome> {
    const target = createTarget(server, principal);
    if (status === 403) return this.#refuse(target, { code: 'forward.scope' });
    const known = this.#usable.get(target.key);
    if (known !== undefined && known.credential.id !== credential.id)
      return { ok: true, credential: known.credential };
    const found = await this.#renew(target, credential);
    return found.ok && found.credential.id === credential.id
      ? this.#refuse(target, { code: 'forward.rejected' })
      : found;
  }

  /** Concurrent refusals of one token are one renewal. */
  #renew(target: Target, { authorization }: Credential): Promise<CredentialOutcome> {
    const { key } = target;
    const running = this.#renewing.get(key);
    if (running !== undefined) return running;
    const now = this.#dependencies.now();
    const isRenewed = now < (this.#renewedAt.get(key) ?? 0) + RENEWAL_MS;
    if (!isRenewed) this.#renewedAt.set(key, now);
    this.#usable.delete(key);
    const refusedToken = authorization.replace(SCHEME, '');
    const renewed = this.#find(target, isRenewed ? {} : { refusedToken }).finally(() =>
      this.#renewing.delete(key),
    );
    this.#renewing.set(key, renewed);
    return renewed;
  }

  #refuse({ server }: Target, refusal: ForwardRefusal): CredentialOutcome {
    this.#report(server, refusal.code);
    return createRefusal(refusal);
  }

  /** A user who has not signed in to the gateway is not a failure of the server. */
  #without({ server }: Target, problem: IdTokenProblem): CredentialOutcome {
    if (!isSignedOut(problem)) this.#report(server, problem.code);
    return toIdTokenRefusal(problem);
  }

  #report(server: string, problem: ForwardRefusal['code'] | IdTokenProblem['code']): void {
    this.#dependencies.observe({ code: 'forwarding-failed', server, problem: PROBLEMS[problem] });
  }

  async #find(
    target: Target,
    required: Omit<IdTokenRequirements, 'audiences'>,
  ): Promise<CredentialOutcome> {
    const { principal, audiences, key } = target;
    const { idTokens, now } = this.#dependencies;
    const found = await findIdToken(idTokens, principal, { ...required, audiences });
    if (!found.ok) return this.#without(target, found.problem);
    const problem = findProblem(found.token, audiences, now());
    if (problem !== undefined) return this.#without(target, problem);
    const credential = createBearerCredential(found.token);
    this.#usable.set(key, { credential, until: Math.min(found.expiresAt, now() + FRESH_MS) });
    return { ok: true, credential };
  }
}
