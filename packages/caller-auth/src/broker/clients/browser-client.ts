import type { ClientMetadata } from 'oidc-provider';
import { applicationTypeOf } from './redirect-facts.ts';

/** The client with which the gateway signs a browser in to itself. It needs the session of the browser, and no token. */
export const BROWSER_CLIENT = 'gateway-browser';

/** Returns the metadata of the client. It has no scope of the gateway, and its codes are not redeemed. */
export const browserClient = (returnUri: string): ClientMetadata => ({
  client_id: BROWSER_CLIENT,
  client_name: 'Gateway',
  application_type: applicationTypeOf([returnUri]),
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [returnUri],
  scope: 'openid',
});
