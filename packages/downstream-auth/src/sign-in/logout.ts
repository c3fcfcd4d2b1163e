import type { SignOutOutcome } from '../ports/sign-in.ts';
import type { Binding, Grant } from '../tokens/token-records.ts';
import { revokeToken } from '../tokens/token-requests.ts';
import {
  findEndpoint,
  type ServerUser,
  type SignInContext,
  storeFailure,
} from './sign-in-context.ts';
import { createTokensLockKey } from './renew-token.ts';

/** Revokes what a grant contains; failures are ignored, because the gateway forgets the tokens in any case. */
const revoke = async (
  context: SignInContext,
  user: ServerUser,
  { grant, issuer }: { readonly grant: Grant; readonly issuer: string },
): Promise<void> => {
  const found = await findEndpoint(context, user, { issuer, client: grant.client });
  if (found.kind !== 'endpoint') return;
  const { endpoint } = found;
  if (grant.refreshToken !== undefined)
    await revokeToken(endpoint, grant.refreshToken, 'refresh_token');
  for (const { accessToken } of grant.tokens)
    await revokeToken(endpoint, accessToken, 'access_token');
};

const listOtherResources = async (
  { servers, vault }: SignInContext,
  user: ServerUser,
  { issuer }: Binding,
): Promise<ReadonlySet<string>> => {
  const used = new Set<string>();
  for (const { metadata } of servers()) {
    if (metadata.name === user.server) continue;
    const other = await vault.binding({ ...user, server: metadata.name });
    if (other?.issuer === issuer) used.add(other.resource);
  }
  return used;
};

const isUsed = ({ tokens }: Grant, used: ReadonlySet<string>): boolean =>
  tokens.some(({ resource }) => used.has(resource));

const endSignIn = async (context: SignInContext, user: ServerUser): Promise<SignOutOutcome> => {
  const { vault } = context;
  const binding = await vault.binding(user);
  if (binding === undefined) return { code: 'not-signed-in' };
  const { issuer } = binding;
  const { principalKey } = user;
  const revoked = await context.lock(createTokensLockKey(principalKey, issuer), async () => {
    const used = await listOtherResources(context, user, binding);
    const grants = await vault.grants(principalKey, issuer);
    await vault.deleteBinding(user);
    await vault.setGrants(
      principalKey,
      issuer,
      grants.filter((grant) => isUsed(grant, used)),
    );
    return grants.filter((grant) => !isUsed(grant, used));
  });
  context.cache.delete(user);
  await context.announce(user);
  for (const grant of revoked) await revoke(context, user, { grant, issuer });
  context.log.info({ server: user.server, issuer }, 'signed out of a server');
  context.observe({ code: 'signed-out', server: user.server, principalKey });
  return { code: 'signed-out' };
};

/** Tokens that no other server of the user uses are removed and revoked at the issuer. Never rejects. */
export const signOutUser = async (
  context: SignInContext,
  user: ServerUser,
): Promise<SignOutOutcome> => {
  try {
    return await endSignIn(context, user);
  } catch (error) {
    return { code: 'failed', reason: storeFailure(error) };
  }
};
