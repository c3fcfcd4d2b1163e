const WELL_KNOWN = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)(\/.*)?$/;

/**
 * Returns the path that oidc-provider knows for a path of the server, or undefined. The metadata of an issuer with a path is where RFC 8414
 * (inserted) and OpenID Connect Discovery (appended) say.
 * @param prefix the path of the issuer, or an empty text
 */
export const innerPath = (pathname: string, prefix: string): string | undefined => {
  const [, document, inserted = ''] = WELL_KNOWN.exec(pathname) ?? [];
  if (document !== undefined) return inserted === prefix ? `/.well-known/${document}` : undefined;
  if (prefix === '') return pathname;
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined;
};

/** Returns whether the options leave this metadata document out. */
export const isHiddenMetadata = (path: string, metadata: 'oauth' | 'openid' | 'both'): boolean =>
  (metadata === 'openid' && path.startsWith('/.well-known/oauth-')) ||
  (metadata === 'oauth' && path.startsWith('/.well-known/openid-'));
