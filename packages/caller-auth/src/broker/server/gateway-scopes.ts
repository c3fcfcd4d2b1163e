import { ADMIN_SCOPE, GATEWAY_SCOPES } from '../../tokens/scopes.ts';
import type { Account } from '../upstream/account.ts';

/** Scopes that the authorization server knows. */
export const KNOWN_SCOPES: readonly string[] = ['openid', 'offline_access', ...GATEWAY_SCOPES];

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
