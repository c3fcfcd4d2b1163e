import type { Account } from '../upstream/account.ts';

/** Permits everything but core tools that write. */
export const READ_SCOPE = 'mcp:read';

/** Permits core tools that write. */
export const ADMIN_SCOPE = 'mcp:admin';

/** A scope of the resource. */
export type GatewayScope = typeof READ_SCOPE | typeof ADMIN_SCOPE;

/** Scopes of the resource: what a token permits at the gateway. */
export const RESOURCE_SCOPES: readonly GatewayScope[] = [READ_SCOPE, ADMIN_SCOPE];

/** Scopes that the authorization server knows. */
export const KNOWN_SCOPES: readonly string[] = ['openid', 'offline_access', ...RESOURCE_SCOPES];

/** Returns whether a person is a member of a group that administers the gateway. */
const mayAdminister = (
  { groups = [] }: Pick<Account, 'groups'>,
  adminGroups: readonly string[],
): boolean => groups.some((group) => adminGroups.includes(group));

/** Returns those of some scopes that a person may have. */
export const permittedScopes = (
  scopes: readonly string[],
  account: Pick<Account, 'groups'>,
  adminGroups: readonly string[],
): readonly string[] =>
  scopes.filter((scope) => scope !== ADMIN_SCOPE || mayAdminister(account, adminGroups));

/** Returns what a token with some scopes permits a person: membership in a group that administers the gateway permits the same as its scope. */
export const effectiveScopes = (
  scopes: readonly string[],
  account: Pick<Account, 'groups'>,
  adminGroups: readonly string[],
): readonly string[] =>
  mayAdminister(account, adminGroups) ? [...new Set([...scopes, ADMIN_SCOPE])] : scopes;
