import type { ClientMetadata } from 'oidc-provider';
import { BROWSER_CLIENT } from '../settings/reserved-clients.ts';
import { applicationTypeOf } from './redirect-facts.ts';

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
