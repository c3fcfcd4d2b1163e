/** Returns the path without a slash at its end; empty for the root. */
const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

const unique = (urls: readonly string[]): readonly string[] => [...new Set(urls)];

/** Returns the URLs of the metadata of a protected resource: the path form, then the root form. RFC 9728 §3.1 */
export const protectedResourceUrls = (resource: URL): readonly string[] => {
  const { origin } = resource;
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return unique([`${root}${pathOf(resource)}`, root]);
};

/**
 * Returns the URLs of the metadata of an authorization server: RFC 8414 path insertion, OpenID path insertion, OpenID path appending, then the
 * root forms. RFC 8414 §3.1, OpenID Connect Discovery 1.0 §4
 */
export const authorizationServerUrls = (issuer: URL): readonly string[] => {
  const { origin } = issuer;
  const path = pathOf(issuer);
  const oauth = `${origin}/.well-known/oauth-authorization-server`;
  const openId = `${origin}/.well-known/openid-configuration`;
  return unique([
    `${oauth}${path}`,
    `${openId}${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    oauth,
    openId,
  ]);
};
