import type { Principal } from '@gateway/call-contract';
import type { LoginOutcome } from '../ports/sign-in-outcome.ts';
import { furtherScopes, scopeUnion } from '../challenge/scope-set.ts';
import type { DiscoveryOutcome, SignInTarget } from '../discovery/sign-in-target.ts';
import type { Binding } from '../tokens/token-records.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { OAuthStrategy } from './oauth-strategy.ts';
import type { PendingLogins } from './pending-login.ts';
import { discoveryOf } from './person.ts';
import type { Person } from './person.ts';
import { ENDED, signInRequired, storeFailure } from './reasons.ts';
import { shareGrant } from './share-grant.ts';
import type { SignInContext } from './sign-in-context.ts';
import { startLogin } from './start-login.ts';
import { usableBinding } from './usable-binding.ts';

/** The parts of sign-in that a login uses. */
export interface LoginDependencies {
  readonly context: SignInContext;
  readonly cache: CredentialCache;
  readonly strategy: OAuthStrategy;
  readonly logins: PendingLogins;
}

/** Stores the sign-in to a server and reports it. Rejects with failures of the store. */
export const recordSignIn = async (
  { context, cache }: Pick<LoginDependencies, 'context' | 'cache'>,
  person: Person,
  binding: Binding,
): Promise<void> => {
  await context.vault.setBinding(person, binding);
  cache.delete(person);
  await context.announce(person);
  const { server, principalKey } = person;
  context.observe({ code: 'signed-in', server, principalKey });
};

/** Returns why a person signs in, and the scopes of earlier sign-ins that the next one requests too. */
const earlier = (
  person: Person,
  binding: Binding | undefined,
  target: SignInTarget,
): { readonly reason: string; readonly earlierScope: string | undefined } => {
  const { server, url } = person;
  if (binding?.serverUrl !== url)
    return { reason: signInRequired(server).reason, earlierScope: undefined };
  if (binding.issuer !== target.issuer) {
    const reason = ENDED.moved(server, { from: binding.issuer, to: target.issuer });
    return { reason, earlierScope: undefined };
  }
  const { pendingScope, ended } = binding;
  const scopes =
    pendingScope === undefined
      ? undefined
      : ENDED.scopes(server, furtherScopes(binding.scope, pendingScope));
  const reason = ended ?? scopes ?? signInRequired(server).reason;
  return { reason, earlierScope: scopeUnion(binding.scope, pendingScope) };
};

const isSignedIn = async (
  { strategy }: LoginDependencies,
  person: Person,
  binding: Binding | undefined,
): Promise<boolean> => {
  const usable = usableBinding(binding, person);
  if (usable.kind !== 'usable' || usable.binding.pendingScope !== undefined) return false;
  return (await strategy.load(person)).ok;
};

const notFound = (
  { observe }: SignInContext,
  { server, principalKey }: Person,
  found: Exclude<DiscoveryOutcome, { readonly ok: true }>,
): LoginOutcome => {
  if (found.code === 'failed') {
    observe({ code: 'provider-unavailable', server, during: 'sign-in' });
    return { code: 'failed', reason: found.reason };
  }
  observe({ code: 'sign-in-failed', server, principalKey, problem: 'no-metadata' });
  return {
    code: 'metadata-missing',
    ...(found.problem !== undefined && { problem: found.problem }),
  };
};

const loginAt = async (
  dependencies: LoginDependencies,
  person: Person,
  askedBy: Principal,
): Promise<LoginOutcome> => {
  const { context, logins } = dependencies;
  const urls = await context.urls();
  if (urls === undefined) return { code: 'not-configured' };
  const binding = await context.vault.binding(person);
  if (await isSignedIn(dependencies, person, binding)) return { code: 'signed-in' };
  const found = await context.discovery.discover(discoveryOf(person));
  if (!found.ok) return notFound(context, person, found);
  const { target } = found;
  const { reason, earlierScope } = earlier(person, binding, target);
  const scope = scopeUnion(target.scope, earlierScope);
  // Tokens that exist do not grant scopes that the server required since.
  const mayShare = binding?.pendingScope === undefined;
  if (mayShare && (await shareGrant(context, person, { ...target, scope }))) {
    const { issuer, resource } = target;
    await recordSignIn(dependencies, person, { serverUrl: person.url, issuer, resource, scope });
    return { code: 'signed-in' };
  }
  return startLogin(context, logins, { person, askedBy, target, urls, earlierScope, reason });
};

/**
 * Signs a person in to a server: with the token that they have, else with a sign-in at the same issuer, else with a URL for a browser. Never
 * rejects.
 */
export const login = async (
  dependencies: LoginDependencies,
  person: Person,
  askedBy: Principal,
): Promise<LoginOutcome> => {
  try {
    return await loginAt(dependencies, person, askedBy);
  } catch (error) {
    return { code: 'failed', reason: storeFailure(error) };
  }
};
