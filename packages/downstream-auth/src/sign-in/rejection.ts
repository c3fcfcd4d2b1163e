import { bearerChallenge } from '../challenge/bearer-challenge.ts';
import { hasScopes, scopeUnion } from '../challenge/scope-set.ts';
import type { CredentialOutcome, Rejection } from '../ports/credentials.ts';
import { findToken } from '../tokens/token-records.ts';
import type { Binding } from '../tokens/token-records.ts';
import { discoveryOf } from './person.ts';
import type { Person } from './person.ts';
import { ENDED, signInAgain, signInRequired } from './reasons.ts';
import { renewToken } from './renew-token.ts';
import type { Renewal } from './renew-token.ts';
import type { SignInContext } from './sign-in-context.ts';
import { usableBinding } from './usable-binding.ts';

/** The result of a refused request: a renewal, or the reason why nothing is renewed. */
export type RejectionOutcome =
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
export const handleRejection = async (
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
