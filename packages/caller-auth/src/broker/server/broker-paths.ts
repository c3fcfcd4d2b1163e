/** The paths of the authorization server. */
export const BROKER_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
  register: '/oauth/register',
  jwks: '/oauth/jwks',
  deviceAuthorization: '/oauth/device_authorization',
  device: '/oauth/device',
  interaction: '/oauth/interaction',
  callback: '/oauth/upstream/callback',
  logout: '/oauth/logout',
  oauthMetadata: '/.well-known/oauth-authorization-server',
  openidMetadata: '/.well-known/openid-configuration',
} as const;
