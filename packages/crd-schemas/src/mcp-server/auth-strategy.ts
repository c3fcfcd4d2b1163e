import type { AuthorizationServer, EnabledTokenExchange, McpServerAuth } from './mcp-server.ts';

/** The method by which requests to a remote server are authenticated. @spec §2.6 auth */
export type AuthStrategy =
  | { readonly kind: 'tokenExchange'; readonly tokenExchange: EnabledTokenExchange }
  | { readonly kind: 'forwardToken' }
  | { readonly kind: 'oauth'; readonly authorizationServer?: AuthorizationServer }
  | { readonly kind: 'none' };

/**
 * Returns the method with the highest precedence: token exchange before the forwarded token, both before the server's own
 * sign-in. @spec §2.6
 */
export const authStrategyOf = (auth: McpServerAuth): AuthStrategy => {
  const { tokenExchange, authorizationServer } = auth;
  if (tokenExchange?.enabled === true) return { kind: 'tokenExchange', tokenExchange };
  if (auth.forwardToken) return { kind: 'forwardToken' };
  if (auth.type === 'none') return { kind: 'none' };
  return authorizationServer === undefined
    ? { kind: 'oauth' }
    : { kind: 'oauth', authorizationServer };
};

/**
 * Returns the issuer that an exchanged token must name: as configured, else the token endpoint without `/token`. @spec §2.6
 * expectedIssuer
 */
export const expectedIssuerOf = (exchange: EnabledTokenExchange): string =>
  exchange.expectedIssuer ?? exchange.dexTokenEndpoint.replace(/\/token\/?$/, '');
