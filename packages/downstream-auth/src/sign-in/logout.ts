import type { McpServer } from '@gateway/crd-schemas';
import type { LogoutOutcome } from '../ports/sign-in.ts';
import type { Binding, Grant } from '../tokens/token-records.ts';
import { revokeToken } from '../tokens/token-requests.ts';
import type { CredentialCache } from './oauth-strategy.ts';
import {
  clientRequest,
  operatorUrls,
  type Person,
  type SignInContext,
  storeFailure,
} from './sign-in-context.ts';
import { tokensLock } from './renew-token.ts';

/** The dependencies of a logout. */
export interface LogoutDependencies {
  readonly context: SignInContext;
  readonly cache: CredentialCache;
  readonly servers: () => readonly McpServer[];
}

/** Revokes what a grant contains; failures are ignored, because the gateway forgets the tokens in any case. */
const revoke = async (
  context: SignInContext,
  person: Person,
  { grant, issuer }: { readonly grant: Grant; readonly issuer: string },
): Promise<void> => {
  const urls = await context.urls();
  const found = await context.discovery.authorizationServer(issuer, operatorUrls(person));
  if (!found.ok || urls === undefined) return;
  const { metadata } = found;
  const asked = clientRequest(context, urls, { metadata, person });
  const client = await context.clients.current(asked, grant.client);
  if (client === undefined) return;
  const endpoint = { metadata, client, fetch: asked.fetch, clock: context.clock };
  if (grant.refreshToken !== undefined)
    await revokeToken(endpoint, grant.refreshToken, 'refresh_token');
  for (const { accessToken } of grant.tokens)
    await revokeToken(endpoint, accessToken, 'access_token');
};

/** Returns the resources at the issuer that other servers of the person use. */
const usedByOthers = async (
  { context, servers }: LogoutDependencies,
  person: Person,
  { issuer }: Binding,
): Promise<ReadonlySet<string>> => {
  const used = new Set<string>();
  for (const { metadata } of servers()) {
    if (metadata.name === person.server) continue;
    const other = await context.vault.binding({ ...person, server: metadata.name });
    if (other?.issuer === issuer) used.add(other.resource);
  }
  return used;
};

const isUsed = ({ tokens }: Grant, used: ReadonlySet<string>): boolean =>
  tokens.some(({ resource }) => used.has(resource));

const logoutAt = async (
  dependencies: LogoutDependencies,
  person: Person,
): Promise<LogoutOutcome> => {
  const { context, cache } = dependencies;
  const { vault } = context;
  const binding = await vault.binding(person);
  if (binding === undefined) return { code: 'not-signed-in' };
  const { issuer } = binding;
  const { principalKey } = person;
  const revoked = await context.lock(tokensLock(principalKey, issuer), async () => {
    const used = await usedByOthers(dependencies, person, binding);
    const grants = await vault.grants(principalKey, issuer);
    await vault.deleteBinding(person);
    await vault.setGrants(
      principalKey,
      issuer,
      grants.filter((grant) => isUsed(grant, used)),
    );
    return grants.filter((grant) => !isUsed(grant, used));
  });
  cache.delete(person);
  await context.announce(person);
  for (const grant of revoked) await revoke(context, person, { grant, issuer });
  context.log.info({ server: person.server, issuer }, 'signed out of a server');
  context.observe({ code: 'signed-out', server: person.server, principalKey });
  return { code: 'signed-out' };
};

/**
 * Signs a person out of a server. Tokens that no other server of the person uses are removed and revoked at the issuer. Never rejects.
 */
export const logout = async (
  dependencies: LogoutDependencies,
  person: Person,
): Promise<LogoutOutcome> => {
  try {
    return await logoutAt(dependencies, person);
  } catch (error) {
    return { code: 'failed', reason: storeFailure(error) };
  }
};
