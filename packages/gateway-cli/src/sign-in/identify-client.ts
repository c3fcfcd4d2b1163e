import {
  ClientSecretPost,
  dynamicClientRegistrationRequest,
  None,
  processDynamicClientRegistrationResponse,
  type AuthorizationServer,
  type ClientAuth,
} from 'oauth4webapi';
import { basicAuthorization } from '@gateway/service-host';
import { CommandFailure } from '../failure.ts';
import { REQUEST_OPTIONS } from './sign-in-fetch.ts';

/** The client that the command line is at an authorization server. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly authentication: 'none' | 'client_secret_basic' | 'client_secret_post';
}

/** Options of the user about the client. */
export interface ClientOptions {
  /** Identifier of a client that is registered already. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** URL of a Client ID Metadata Document. */
  readonly clientMetadataUrl?: string;
}

/** The use of a client, for its registration. */
export interface ClientPurpose {
  readonly grantType: 'authorization_code' | 'urn:ietf:params:oauth:grant-type:device_code';
  readonly redirectUris: readonly string[];
}

const register = async (
  server: AuthorizationServer,
  { grantType, redirectUris }: ClientPurpose,
): Promise<ClientIdentity> => {
  const isBrowser = grantType === 'authorization_code';
  const response = await dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'gateway command line',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: [grantType, 'refresh_token'],
      response_types: isBrowser ? ['code'] : [],
      redirect_uris: [...redirectUris],
    },
    REQUEST_OPTIONS,
  );
  const registered = await processDynamicClientRegistrationResponse(response);
  const { client_id: clientId, client_secret: secret } = registered;
  if (typeof secret !== 'string') return { clientId, authentication: 'none' };
  const method = registered['token_endpoint_auth_method'];
  const authentication =
    method === 'none' || method === 'client_secret_post' ? method : 'client_secret_basic';
  return { clientId, clientSecret: secret, authentication };
};

const authenticationMethods = (server: AuthorizationServer): readonly string[] =>
  server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];

/** The identifier that a gateway which is an authorization server itself knows the command line by. */
const commandLineClient = (server: AuthorizationServer): string | undefined => {
  const clientId = server['gateway_command_line_client'];
  return typeof clientId === 'string' && clientId !== '' ? clientId : undefined;
};

/**
 * Returns the client: the one of the user, else the client that a gateway names for its command line, else the document of the user when
 * the server supports documents, else a client that it registers.
 */
export const identifyClient = async (
  server: AuthorizationServer,
  { clientId, clientSecret, clientMetadataUrl }: ClientOptions,
  purpose: ClientPurpose,
): Promise<ClientIdentity> => {
  if (clientId !== undefined) {
    if (clientSecret === undefined) return { clientId, authentication: 'none' };
    const isBasic = authenticationMethods(server).includes('client_secret_basic');
    const authentication = isBasic ? 'client_secret_basic' : 'client_secret_post';
    return { clientId, clientSecret, authentication };
  }
  const known = commandLineClient(server);
  if (known !== undefined) return { clientId: known, authentication: 'none' };
  if (clientMetadataUrl !== undefined && server['client_id_metadata_document_supported'] === true) {
    return { clientId: clientMetadataUrl, authentication: 'none' };
  }
  if (server.registration_endpoint !== undefined) return register(server, purpose);
  throw new CommandFailure(
    'failed',
    `${server.issuer} does not register clients: name one that it knows with --client-id`,
  );
};

/** Returns the authentication of a client at the token endpoint. */
export const clientAuth = ({ authentication, clientSecret = '' }: ClientIdentity): ClientAuth => {
  switch (authentication) {
    case 'none':
      return None();
    case 'client_secret_basic':
      return (_server, { client_id: clientId }, _body, headers) => {
        headers.set('authorization', basicAuthorization({ clientId, clientSecret }));
      };
    case 'client_secret_post':
      return ClientSecretPost(clientSecret);
  }
};
