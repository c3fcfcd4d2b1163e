import type { CredentialOutcome, NoCredential, Rejection } from '@gateway/call-contract';
import type { RemoteServerSpec } from '@gateway/crd-schemas';
import { bearerChallenge, hasScopes, scopeUnion } from '../challenge/bearer-challenge.ts';
import type { TokenStrategy } from '../ports/credentials.ts';
import { type AccessToken, type Binding, findToken, refreshTime } from '../tokens/token-records.ts';
import { type Renewal, renewToken } from './renew-token.ts';
import {
  type CachedCredential,
  discoveryOf,
  ENDED,
  type Person,
  personAt,
  signInAgain,
  type SignInContext,
  signInRequired,
  storeFailure,
  unavailable,
  usableBinding,
} from './sign-in-context.ts';

/** The result of a refused request: a renewal, or the reason why nothing is renewed. */
type RejectionOutcome =
  | { readonly kind: 'renewed'; readonly renewal: Renewal }
  | { readonly kind: 'refused'; readonly outcome: CredentialOutcome };

/** Requests for the same scopes, and for any scopes, after which the server is not believed any more. */
const MAX_REPEATED_STEP_UPS = 3;
const MAX_STEP_UPS = 10;

/**
 * Records the scopes that a server requires, so that the next sign-in requests the union. The token stays: it is valid for other
 * requests. RFC 6750 §3.1
 */
const stepUp = async (
  context: SignInContext,
  person: Person,
  { binding, scope }: { readonly binding: Binding; readonly scope: string },
): Promise<RejectionOutcome> => {
  const refused = (reason: string): RejectionOutcome => ({
    kind: 'refused',
    outcome: signInAgain(reason),
  });
  const { stepUps = 0, repeatedStepUps = 0, pendingScope } = binding;
  if (pendingScope !== undefined && hasScopes(pendingScope, scope))
    return refused(ENDED.scopes(person.server, scope));
  const isRepeated = hasScopes(binding.scope, scope);
  const isOver = isRepeated ? repeatedStepUps >= MAX_REPEATED_STEP_UPS : stepUps >= MAX_STEP_UPS;
  if (isOver) return refused(ENDED.scopesRefused(person.server, scope));
  await context.vault.setBinding(person, {
    ...binding,
    pendingScope: scopeUnion(binding.scope, pendingScope, scope),
    stepUps: stepUps + 1,
    repeatedStepUps: repeatedStepUps + (isRepeated ? 1 : 0),
  });
  await context.announce(person);
  context.observe({ code: 'scopes-required', server: person.server });
  return refused(ENDED.scopes(person.server, scope));
};

/** Returns the issuer that a server uses now when it is another one than that of the sign-in. */
const movedTo = async (
  { discovery }: SignInContext,
  person: Person,
  { issuer }: Binding,
): Promise<string | undefined> => {
  if (person.pinned !== undefined) return undefined;
  discovery.forget(discoveryOf(person));
  const found = await discovery.discover(discoveryOf(person));
  return found.ok && found.target.issuer !== issuer ? found.target.issuer : undefined;
};

/** Handles a request that the server refused before it processed it. Rejects with failures of the store. */
const handleRejection = async (
  context: SignInContext,
  person: Person,
  { status, challenge, credential }: Rejection,
): Promise<RejectionOutcome> => {
  const usable = usableBinding(await context.vault.binding(person), person);
  if (usable.kind !== 'usable') return { kind: 'refused', outcome: signInRequired(person.server) };
  const { binding } = usable;
  if (status === 403) {
    const { scope = '', error } = bearerChallenge(challenge) ?? {};
    if (error !== 'insufficient_scope' || scopeUnion(scope) === '')
      return { kind: 'refused', outcome: signInAgain(ENDED.refused(person.server)) };
    return stepUp(context, person, { binding, scope: scopeUnion(scope) });
  }
  const grants = await context.vault.grants(person.principalKey, binding.issuer);
  const isStale = findToken(grants, binding.resource)?.token.id !== credential.id;
  const to = isStale ? undefined : await movedTo(context, person, binding);
  if (to !== undefined) {
    const reason = ENDED.moved(person.server, { from: binding.issuer, to });
    return { kind: 'renewed', renewal: { kind: 'ended', reason } };
  }
  const renewal = await renewToken(context, { person, binding, refusedId: credential.id });
  return { kind: 'renewed', renewal };
};

/** How long the absence of a credential is remembered, in milliseconds. A sign-in removes it at once. */
const ABSENT_MS = 10_000;
/** Pause after a failed refresh or a failure of the store, in milliseconds. */
const RETRY_MS = 2_000;

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

/** The credentials of servers of type `oauth`. @spec §2.6 auth.type */
export class OAuthStrategy implements TokenStrategy {
  readonly #context: SignInContext;
  readonly #loading = new Map<string, Promise<CredentialOutcome>>();

  constructor(context: SignInContext) {
    this.#context = context;
  }

  current: TokenStrategy['current'] = (server, principal) => {
    const { spec, metadata } = server;
    if (spec.type === 'stdio') return signInRequired(metadata.name);
    const known = this.#context.cache.get(metadata.name, principal.key);
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
      this.#context.cache.delete(person);
      if (outcome.kind === 'refused') return outcome.outcome;
      const result = await outcomeOf(this.#context, person, outcome.renewal);
      if (outcome.renewal.kind === 'token') this.#remember(person, outcome.renewal.token);
      return result;
    } catch (error) {
      return unavailable(storeFailure(error));
    }
  };

  /** Returns the stored credential of a person, after a refresh where one is due. Never rejects. */
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
    this.#context.cache.set(person, { outcome, freshUntil, validUntil });
    return outcome;
  }

  #absent(person: Person, outcome: CredentialOutcome, forMs: number): CredentialOutcome {
    const until = this.#context.clock() + forMs;
    this.#context.cache.set(person, { outcome, freshUntil: until, validUntil: until });
    return outcome;
  }
}
