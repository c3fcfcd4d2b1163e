import type { Principal } from '@gateway/call-contract';

/** Scope of everything but core tools that write. */
export const READ_SCOPE = 'mcp:read';

/** Scope of core tools that write, and of the workflow runs of other persons. It includes {@link READ_SCOPE}. */
export const ADMIN_SCOPE = 'mcp:admin';

/** The scopes that the gateway defines. */
export const GATEWAY_SCOPES = [READ_SCOPE, ADMIN_SCOPE] as const;

/** A scope that the gateway defines. */
export type GatewayScope = (typeof GATEWAY_SCOPES)[number];

/** Returns whether the credentials of a person permit anything at all. */
export const mayRead = ({ scopes = [] }: Principal): boolean =>
  scopes.includes(READ_SCOPE) || scopes.includes(ADMIN_SCOPE);

/** Returns whether a person has the scope of administrators, or is a member of a group of administrators. */
export const isAdministrator = (
  { scopes = [], groups = [] }: Principal,
  adminGroups: readonly string[],
): boolean => scopes.includes(ADMIN_SCOPE) || adminGroups.some((group) => groups.includes(group));
