import { hasScopes } from '../challenge/scope-set.ts';
import type { SignInTarget } from '../discovery/sign-in-target.ts';
import { tokenAudiences } from '../tokens/token-audiences.ts';
import { findToken, isValid, withToken } from '../tokens/token-records.ts';
import type { AccessToken, Grant } from '../tokens/token-records.ts';
import type { Person } from './person.ts';
import { endsGrant, refreshGrant, tokensLock } from './renew-token.ts';
import type { SignInContext } from './sign-in-context.ts';

interface Share {
  readonly context: SignInContext;
  readonly person: Person;
  readonly target: SignInTarget;
}

/** Returns a valid token whose audience names the resource. */
const tokenFor = ({ tokens }: Grant, resource: string, now: number): AccessToken | undefined => {
  const valid = tokens.filter((token) => isValid(token, now));
  return valid.find(({ accessToken }) => tokenAudiences(accessToken).includes(resource));
};

/** Returns the grants with a token of this grant for the resource; without the grant when it has ended; `undefined` when there is no such token. */
const fromGrant = async (
  { context, person, target }: Share,
  grants: readonly Grant[],
  grant: Grant,
): Promise<{ readonly grants: readonly Grant[]; readonly isShared: boolean } | undefined> => {
  const { issuer, resource } = target;
  const same = tokenFor(grant, resource, context.clock());
  if (same !== undefined) {
    const token = { ...same, resource };
    return { grants: withToken(grants, grant, { token, refreshToken: undefined }), isShared: true };
  }
  const { refreshToken } = grant;
  if (refreshToken === undefined) return undefined;
  const refresh = await refreshGrant(context, person, { grant, issuer, resource, refreshToken });
  if (refresh.kind !== 'answer') return undefined;
  const { answer } = refresh;
  if (answer.ok) return { grants: withToken(grants, grant, answer), isShared: true };
  const rest = grants.filter((one) => one !== grant);
  return endsGrant(answer) ? { grants: rest, isShared: false } : undefined;
};

/**
 * Returns true when the person has a token for the target from a sign-in at the same issuer. A token is used for a server only when it was
 * requested for the server's resource, or when its audience names the resource. Rejects with failures of the store.
 */
export const shareGrant = (
  context: SignInContext,
  person: Person,
  target: SignInTarget,
): Promise<boolean> => {
  const { principalKey } = person;
  const { issuer, resource, scope } = target;
  return context.lock(tokensLock(principalKey, issuer), async () => {
    let grants = await context.vault.grants(principalKey, issuer);
    const known = findToken(grants, resource);
    const isUsable = known !== undefined && isValid(known.token, context.clock());
    if (isUsable && hasScopes(known.grant.scope, scope)) return true;
    for (const grant of grants.filter((one) => hasScopes(one.scope, scope))) {
      const shared = await fromGrant({ context, person, target }, grants, grant);
      if (shared === undefined) continue;
      ({ grants } = shared);
      await context.vault.setGrants(principalKey, issuer, grants);
      if (shared.isShared) return true;
    }
    return false;
  });
};
