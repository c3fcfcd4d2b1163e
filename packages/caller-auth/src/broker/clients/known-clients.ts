import type { ClientMetadata } from 'oidc-provider';
import type { BrokerSettings } from '../settings/broker-settings.ts';
import { COMMAND_LINE_CLIENT } from '../settings/reserved-clients.ts';
import { applicationTypeOf } from './redirect-facts.ts';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

const commandLine: ClientMetadata = {
  client_id: COMMAND_LINE_CLIENT,
  client_name: 'Gateway command line',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
  response_types: ['code'],
  redirect_uris: [
    'http://127.0.0.1/callback',
    'http://localhost/callback',
    'http://[::1]/callback',
  ],
};

/**
 * Returns the clients that the server knows in advance: those of the settings, and the command line of the gateway.
 *
 * @param readSecret reads a file with a secret; rejects with one sentence when it cannot
 */
export const knownClients = async (
  settings: BrokerSettings['clients'],
  readSecret: (file: string) => Promise<string>,
): Promise<readonly ClientMetadata[]> => {
  const configured = settings.map(async (client): Promise<ClientMetadata> => {
    const { clientId, clientSecretFile, name, redirectUris } = client;
    const secret = clientSecretFile === undefined ? undefined : await readSecret(clientSecretFile);
    return {
      client_id: clientId,
      client_name: name ?? clientId,
      redirect_uris: [...redirectUris],
      application_type: applicationTypeOf(redirectUris),
      grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
      response_types: ['code'],
      ...(secret === undefined
        ? { token_endpoint_auth_method: 'none' }
        : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
    };
  });
  return [...(await Promise.all(configured)), commandLine];
};
