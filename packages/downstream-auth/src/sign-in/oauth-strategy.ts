import type { RemoteServerSpec } from '@gateway/crd-schemas';
import type { CredentialOutcome, NoCredential } from '../ports/credentials.ts';
import type { TokenStrategy } from '../ports/token-strategy.ts';
import { findToken, refreshTime } from '../tokens/token-records.ts';
import type { AccessToken } from '../tokens/token-records.ts';
import type { CachedCredential, CredentialCache } from './credential-cache.ts';
import { personAt } from './person.ts';
import type { Person } from './person.ts';
import { ENDED, signInAgain, signInRequired, storeFailure, unavailable } from './reasons.ts';
import { handleRejection } from './rejection.ts';
import { renewToken } from './renew-token.ts';
import type { Renewal } from './renew-token.ts';
import type { SignInContext } from './sign-in-context.ts';
import { usableBinding } from './usable-binding.ts';

/** How long the absence of a credential is remembered, in milliseconds. A sign-in removes it at once. */
const ABSENT_MS = 10_000;
/** Pause after a failed refresh or a failure of the store, in milliseconds. */
const RETRY_MS = 2_000;

/** The credentials of servers of type `oauth`. */
export interface OAuthStrategy extends TokenStrategy {
  /** Returns the stored credential of a person, after a refresh where one is due. Never rejects. */
  load(person: Person): Promise<CredentialOutcome>;
}

const credentialOf = ({ accessToken, id }: AccessToken): CredentialOutcome => ({
  ok: true,
  credential: { authorization: `Bearer ${accessToken}`, id },
});

/** Remembers the end of a sign-in, and reports it once. */
const recordEnd = async (
  context: SignInContext,
  person: Person,
  reason: string,
): Promise<NoCredential> => {
  const binding = await context.vault.binding(person);
  if (binding !== undefined && binding.ended !== reason) {
    await context.vault.setBinding(person, { ...binding, ended: reason });
    context.log.info({ server: person.server }, `sign-in ended: ${reason}`);
    await context.announce(person);
  }
  return signInAgain(reason);
};

/** Returns the outcome of a renewal. */
const outcomeOf = async (
  context: SignInContext,
  person: Person,
  renewal: Renewal,
): Promise<CredentialOutcome> => {
  switch (renewal.kind) {
    case 'token':
      return credentialOf(renewal.token);
    case 'ended':
      return recordEnd(context, person, renewal.reason);
    case 'unavailable':
      return unavailable(renewal.reason);
  }
};

/** A credential is not used after the definition of the server changed. */
const isFor = ({ url, pinnedIssuer }: CachedCredential, spec: RemoteServerSpec): boolean =>
  url === spec.url && pinnedIssuer === spec.auth.authorizationServer?.issuer;

class Strategy implements OAuthStrategy {
  readonly #context: SignInContext;
  readonly #cache: CredentialCache;
  readonly #loading = new Map<string, Promise<CredentialOutcome>>();

  constructor(context: SignInContext, cache: CredentialCache) {
    this.#context = context;
    this.#cache = cache;
  }

  current: TokenStrategy['current'] = (server, principal) => {
    const { spec, metadata } = server;
    if (spec.type === 'stdio') return signInRequired(metadata.name);
    const known = this.#cache.get(metadata.name, principal.key);
    const cached = known !== undefined && isFor(known, spec) ? known : undefined;
    const now = this.#context.clock();
    if (cached !== undefined && now < cached.freshUntil) return cached.outcome;
    const person = personAt(server, principal);
    if (person === undefined) return signInRequired(metadata.name);
    const loading = this.load(person);
    return cached !== undefined && now < cached.validUntil ? cached.outcome : loading;
  };

  rejected: TokenStrategy['rejected'] = async (server, principal, rejection) => {
    const person = personAt(server, principal);
    if (person === undefined) return signInRequired(server.metadata.name);
    try {
      const outcome = await handleRejection(this.#context, person, rejection);
      this.#cache.delete(person);
      if (outcome.kind === 'refused') return outcome.outcome;
      const result = await outcomeOf(this.#context, person, outcome.renewal);
      if (outcome.renewal.kind === 'token') this.#remember(person, outcome.renewal.token);
      return result;
    } catch (error) {
      return unavailable(storeFailure(error));
    }
  };

  load(person: Person): Promise<CredentialOutcome> {
    const key = JSON.stringify([person.server, person.principalKey, person.url]);
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const load = this.#load(person).finally(() => this.#loading.delete(key));
    this.#loading.set(key, load);
    return load;
  }

  async #load(person: Person): Promise<CredentialOutcome> {
    try {
      return await this.#read(person);
    } catch (error) {
      return this.#absent(person, unavailable(storeFailure(error)), RETRY_MS);
    }
  }

  async #read(person: Person): Promise<CredentialOutcome> {
    const { vault, clock } = this.#context;
    const usable = usableBinding(await vault.binding(person), person);
    if (usable.kind === 'none')
      return this.#absent(person, signInRequired(person.server), ABSENT_MS);
    if (usable.kind === 'moved') {
      const urls = { from: usable.binding.issuer, to: usable.to };
      return this.#absent(person, signInAgain(ENDED.moved(person.server, urls)), ABSENT_MS);
    }
    const { binding } = usable;
    if (binding.ended !== undefined)
      return this.#absent(person, signInAgain(binding.ended), ABSENT_MS);
    const found = findToken(
      await vault.grants(person.principalKey, binding.issuer),
      binding.resource,
    );
    if (found !== undefined && clock() < refreshTime(found.token))
      return this.#remember(person, found.token);
    const renewal = await renewToken(this.#context, { person, binding });
    if (renewal.kind === 'token') return this.#remember(person, renewal.token);
    const outcome = await outcomeOf(this.#context, person, renewal);
    return this.#absent(person, outcome, renewal.kind === 'ended' ? ABSENT_MS : RETRY_MS);
  }

  #remember(person: Person, token: AccessToken): CredentialOutcome {
    const outcome = credentialOf(token);
    const retryAt = this.#context.clock() + RETRY_MS;
    const validUntil = token.expiresAt ?? Number.POSITIVE_INFINITY;
    // A token that a failed refresh left is used until it ends, with a pause before the next refresh.
    const freshUntil = Math.min(validUntil, Math.max(refreshTime(token), retryAt));
    this.#cache.set(person, { outcome, freshUntil, validUntil });
    return outcome;
  }

  #absent(person: Person, outcome: CredentialOutcome, forMs: number): CredentialOutcome {
    const until = this.#context.clock() + forMs;
    this.#cache.set(person, { outcome, freshUntil: until, validUntil: until });
    return outcome;
  }
}

/** Creates the credentials of servers of type `oauth`. @spec §2.6 auth.type */
export const createOAuthStrategy = (
  context: SignInContext,
  cache: CredentialCache,
): OAuthStrategy => new Strategy(context, cache);
