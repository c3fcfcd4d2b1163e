import type { Principal } from './call-context.ts';

/** Scope of everything but core tools that write. */
export const READ_SCOPE = 'mcp:read';

/** Scope of core tools that write, and of the workflow runs of other users. It includes {@link READ_SCOPE}. */
export const ADMIN_SCOPE = 'mcp:admin';

export const GATEWAY_SCOPES = [READ_SCOPE, ADMIN_SCOPE] as const;

/** A scope that the gateway defines. */
export type GatewayScope = (typeof GATEWAY_SCOPES)[number];

/** Returns whether a user has the scope of administrators; everybody has it where callers do not sign in. */
export const isAdministrator = ({ issuer, scopes = [] }: Principal): boolean =>
  issuer === undefined || scopes.includes(ADMIN_SCOPE);

const GRANTEES: Readonly<Record<GatewayScope, string>> = {
  [READ_SCOPE]: 'its users',
  [ADMIN_SCOPE]: 'members of the groups in "auth.adminGroups" of config.yaml',
};

/**
 * Returns the refusal of what a scope permits, for all programs: who grants the scope to whom, and the command that asks for it.
 *
 * @param subject the beginning of the sentence, which names what is refused
 */
export const formatScopeRefusal = (subject: string, scope: GatewayScope): string =>
  `${subject} the scope ${scope}, which the authorization server grants to ${GRANTEES[scope]}; sign in again with it: gateway auth login --scope ${scope}`;
