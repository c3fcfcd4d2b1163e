import type { CredentialOutcome, NoCredential, Rejection } from '@gateway/call-contract';
import type { RemoteServerSpec } from '@gateway/crd-schemas';
import { parseBearerChallenge, hasScopes, uniteScopes } from '../challenge/bearer-challenge.ts';
import type { TokenStrategy } from '../ports/credentials.ts';
import {
  type AccessToken,
  type Binding,
  findToken,
  computeRefreshTime,
} from '../tokens/token-records.ts';
import { type Renewal, renewToken } from './renew-token.ts';
import {
  type CachedCredential,
  toDiscoveryRequest,
  ENDED,
  type ServerUser,
  findServerUser,
  signInAgain,
  type SignInContext,
  signInRequired,
  storeFailure,
  toUnavailableRefusal,
  resolveBinding,
} from './sign-in-context.ts';

type RejectionOutcome =
  | { readonly kind: 'renewed'; readonly renewal: Renewal }
  | { readonly kind: 'refused'; readonly outcome: CredentialOutcome };

/** Requests for the same scopes, and for any scopes, after which the server is not believed any more. */
const MAX_REPEATED_STEP_UPS = 3;
const MAX_STEP_UPS = 10;

/** Records required scopes, so that the next sign-in requests the union. The token stays: it is valid for other requests. RFC 6750 §3.1 */
const requireScopes = async (
  context: SignInContext,
  user: ServerUser,
  { binding, scope }: { readonly binding: Binding; readonly scope: string },
): Promise<RejectionOutcome> => {
  const refused = (reason: string): RejectionOutcome => ({
    kind: 'refused',
    outcome: signInAgain(reason),
  });
  const { stepUps = 0, repeatedStepUps = 0, pendingScope } = binding;
  if (pendingScope !== undefined && hasScopes(pendingScope, scope))
    return refused(ENDED.scopes(user.server, scope));
  const isRepeated = hasScopes(binding.scope, scope);
  const isOver = isRepeated ? repeatedStepUps >= MAX_REPEATED_STEP_UPS : stepUps >= MAX_STEP_UPS;
  if (isOver) return refused(ENDED.scopesRefused(user.server, scope));
  await context.vault.setBinding(user, {
    ...binding,
    pendingScope: uniteScopes(binding.scope, pendingScope, scope),
    stepUps: stepUps + 1,
    repeatedStepUps: repeatedStepUps + (isRepeated ? 1 : 0),
  });
  await context.announce(user);
  context.observe({ code: 'scopes-required', server: user.server });
  return refused(ENDED.scopes(user.server, scope));
};

/** Returns the issuer that a server uses now when it is another one than that of the sign-in. */
const findNewIssuer = async (
  { discovery }: SignInContext,
  user: ServerUser,
  { issuer }: Binding,
): Promise<string | undefined> => {
  if (user.pinned !== undefined) return undefined;
  discovery.forget(toDiscoveryRequest(user));
  const found = await discovery.discover(toDiscoveryRequest(user));
  return found.ok && found.target.issuer !== issuer ? found.target.issuer : undefined;
};

const handleRejection = async (
  context: SignInContext,
  user: ServerUser,
  { status, challenge, credential }: Rejection,
): Promise<RejectionOutcome> => {
  const usable = resolveBinding(await context.vault.binding(user), user);
  if (usable.kind !== 'usable') return { kind: 'refused', outcome: signInRequired(user.server) };
  const { binding } = usable;
  if (status === 403) {
    const { scope = '', error } = parseBearerChallenge(challenge) ?? {};
    if (error !== 'insufficient_scope' || uniteScopes(scope) === '')
      return { kind: 'refused', outcome: signInAgain(ENDED.refused(user.server)) };
    return requireScopes(context, user, { binding, scope: uniteScopes(scope) });
  }
  const grants = await context.vault.grants(user.principalKey, binding.issuer);
  const isStale = findToken(grants, binding.resource)?.token.id !== credential.id;
  const to = isStale ? undefined : await findNewIssuer(context, user, binding);
  if (to !== undefined) {
    const reason = ENDED.moved(user.server, { from: binding.issuer, to });
    return { kind: 'renewed', renewal: { kind: 'ended', reason } };
  }
  const renewal = await renewToken(context, { user, binding, refusedId: credential.id });
  return { kind: 'renewed', renewal };
};

/** How long the absence of a credential is remembered, in milliseconds. A sign-in removes it at once. */
const ABSENT_MS = 10_000;
/** Pause after a failed refresh or a failure of the store, in milliseconds. */
const RETRY_MS = 2_000;

const toCredential = ({ accessToken, id }: AccessToken): CredentialOutcome => ({
  ok: true,
  credential: { authorization: `Bearer ${accessToken}`, id },
});

/** Remembers the end of a sign-in, and reports it once. */
const recordEnd = async (
  context: SignInContext,
  user: ServerUser,
  reason: string,
): Promise<NoCredential> => {
  const binding = await context.vault.binding(user);
  if (binding !== undefined && binding.ended !== reason) {
    await context.vault.setBinding(user, { ...binding, ended: reason });
    context.log.info({ server: user.server }, `sign-in ended: ${reason}`);
    await context.announce(user);
  }
  return signInAgain(reason);
};

const toOutcome = async (
  context: SignInContext,
  user: ServerUser,
  renewal: Renewal,
): Promise<CredentialOutcome> => {
  switch (renewal.kind) {
    case 'token':
      return toCredential(renewal.token);
    case 'ended':
      return recordEnd(context, user, renewal.reason);
    case 'unavailable':
      return toUnavailableRefusal(renewal.reason);
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
    const user = findServerUser(server, principal);
    if (user === undefined) return signInRequired(metadata.name);
    const loading = this.load(user);
    return cached !== undefined && now < cached.validUntil ? cached.outcome : loading;
  };

  renewRejected: TokenStrategy['renewRejected'] = async (server, principal, rejection) => {
    const user = findServerUser(server, principal);
    if (user === undefined) return signInRequired(server.metadata.name);
    try {
      const outcome = await handleRejection(this.#context, user, rejection);
      this.#context.cache.delete(user);
      if (outcome.kind === 'refused') return outcome.outcome;
      const result = await toOutcome(this.#context, user, outcome.renewal);
      if (outcome.renewal.kind === 'token') this.#remember(user, outcome.renewal.token);
      return result;
    } catch (error) {
      return toUnavailableRefusal(storeFailure(error));
    }
  };

  /** Returns the stored credential of a user, after a refresh where one is due. Never rejects. */
  load(user: ServerUser): Promise<CredentialOutcome> {
    const key = JSON.stringify([user.server, user.principalKey, user.url]);
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const load = this.#load(user).finally(() => this.#loading.delete(key));
    this.#loading.set(key, load);
    return load;
  }

  async #load(user: ServerUser): Promise<CredentialOutcome> {
    try {
      return await this.#read(user);
    } catch (error) {
      return this.#cacheAbsence(user, toUnavailableRefusal(storeFailure(error)), RETRY_MS);
    }
  }

  async #read(user: ServerUser): Promise<CredentialOutcome> {
    const { vault, clock } = this.#context;
    const usable = resolveBinding(await vault.binding(user), user);
    if (usable.kind === 'none')
      return this.#cacheAbsence(user, signInRequired(user.server), ABSENT_MS);
    if (usable.kind === 'moved') {
      const urls = { from: usable.binding.issuer, to: usable.to };
      return this.#cacheAbsence(user, signInAgain(ENDED.moved(user.server, urls)), ABSENT_MS);
    }
    const { binding } = usable;
    if (binding.ended !== undefined)
      return this.#cacheAbsence(user, signInAgain(binding.ended), ABSENT_MS);
    const found = findToken(
      await vault.grants(user.principalKey, binding.issuer),
      binding.resource,
    );
    if (found !== undefined && clock() < computeRefreshTime(found.token))
      return this.#remember(user, found.token);
    const renewal = await renewToken(this.#context, { user, binding });
    if (renewal.kind === 'token') return this.#remember(user, renewal.token);
    const outcome = await toOutcome(this.#context, user, renewal);
    return this.#cacheAbsence(user, outcome, renewal.kind === 'ended' ? ABSENT_MS : RETRY_MS);
  }

  #remember(user: ServerUser, token: AccessToken): CredentialOutcome {
    const outcome = toCredential(token);
    const retryAt = this.#context.clock() + RETRY_MS;
    const validUntil = token.expiresAt ?? Number.POSITIVE_INFINITY;
    // A token that a failed refresh left is used until it ends, with a pause before the next refresh.
    const freshUntil = Math.min(validUntil, Math.max(computeRefreshTime(token), retryAt));
    this.#context.cache.set(user, { outcome, freshUntil, validUntil });
    return outcome;
  }

  #cacheAbsence(user: ServerUser, outcome: CredentialOutcome, forMs: number): CredentialOutcome {
    const until = this.#context.clock() + forMs;
    this.#context.cache.set(user, { outcome, freshUntil: until, validUntil: until });
    return outcome;
  }
}
