import type { AuthorizationServer } from 'oauth4webapi';

/** The scopes of a request, and whether it asks for consent. */
export interface RequestedScopes {
  readonly scope: string;
  readonly asksForConsent: boolean;
}

/** Returns the scopes of the gateway, and those that give a refresh token and the name of the person where the server has them. */
export const requestedScopes = (
  server: AuthorizationServer,
  scopes: readonly string[],
): RequestedScopes => {
  const supported = new Set(server.scopes_supported ?? []);
  const more = ['openid', 'offline_access'].filter((scope) => supported.has(scope));
  return {
    scope: [...new Set([...more, ...scopes])].join(' '),
    // OpenID Connect Core, section 11: offline access requires consent.
    asksForConsent: more.includes('offline_access'),
  };
};
