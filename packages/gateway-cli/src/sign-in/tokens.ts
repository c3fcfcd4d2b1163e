import { findText, readOwnField } from '@gateway/call-contract';
import { createBasicAuthentication } from '@gateway/service-host';
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretPost,
  dynamicClientRegistrationRequest,
  getValidatedIdTokenClaims,
  None,
  processDynamicClientRegistrationResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  revocationRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { CommandFailure } from '../failure.ts';
import { REQUEST_OPTIONS, signInFailure } from './discovery.ts';
import {
  isFresh,
  isValid,
  refreshTime,
  signInRequired,
  type SignInStore,
  type StoredSignIn,
  type StoredClient,
} from './sign-in-store.ts';

/** Options of the user about the client. */
export interface ClientOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientMetadataUrl?: string;
}

interface ClientPurpose {
  readonly grantType: 'authorization_code' | 'urn:ietf:params:oauth:grant-type:device_code';
  readonly redirectUris: readonly string[];
}

const register = async (
  server: AuthorizationServer,
  { grantType, redirectUris }: ClientPurpose,
): Promise<StoredClient> => {
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

/** Returns the identifier that a gateway which is an authorization server itself knows the command line by. */
export const findOwnClient = (server: AuthorizationServer): string | undefined => {
  const known = server['gateway_command_line_client'];
  return typeof known === 'string' && known !== '' ? known : undefined;
};

/**
 * Returns the client: the one of the user, else the client that a gateway names for its command line, else the document of the user when
 * the server supports documents, else a client that it registers.
 */
export const identifyClient = async (
  server: AuthorizationServer,
  { clientId, clientSecret, clientMetadataUrl }: ClientOptions,
  purpose: ClientPurpose,
): Promise<StoredClient> => {
  if (clientId !== undefined) {
    if (clientSecret === undefined) return { clientId, authentication: 'none' };
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic');
    const authentication = isBasic ? 'client_secret_basic' : 'client_secret_post';
    return { clientId, clientSecret, authentication };
  }
  const known = findOwnClient(server);
  if (known !== undefined) return { clientId: known, authentication: 'none' };
  if (clientMetadataUrl !== undefined && server['client_id_metadata_document_supported'] === true)
    return { clientId: clientMetadataUrl, authentication: 'none' };
  if (server.registration_endpoint !== undefined) return register(server, purpose);
  throw new CommandFailure(
    'failed',
    `${server.issuer} does not register clients: name one that it knows with --client-id`,
  );
};

/** Returns the authentication of a client at the token endpoint. */
export const createClientAuth = ({
  authentication,
  clientSecret = '',
}: StoredClient): ClientAuth => {
  switch (authentication) {
    case 'none':
      return None();
    case 'client_secret_basic':
      return createBasicAuthentication(clientSecret);
    case 'client_secret_post':
      return ClientSecretPost(clientSecret);
  }
};

/** Returns the text of a claim of a JWT without a verification of its signature. */
const findSubject = (token: string): string | undefined => {
  try {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    return findText(readOwnField(JSON.parse(text), 'sub'));
  } catch {
    return undefined;
  }
};

const MAX_SHOWN_CHARS = 320;

const readTextClaim = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_SHOWN_CHARS ? value : undefined;

/** Returns the properties that a token response gives; a refresh may omit all but the access token. */
const toTokenFields = (tokens: TokenEndpointResponse) => {
  const now = Date.now();
  const lifetimeMs = tokens.expires_in === undefined ? undefined : tokens.expires_in * 1000;
  const claims = getValidatedIdTokenClaims(tokens);
  const subject = claims?.sub ?? findSubject(tokens.access_token);
  const email = readTextClaim(claims?.['email']);
  const name = readTextClaim(claims?.['name']);
  return {
    accessToken: tokens.access_token,
    ...(lifetimeMs !== undefined && {
      expiresAt: now + lifetimeMs,
      refreshAt: refreshTime(now, lifetimeMs),
    }),
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
    ...(subject !== undefined && { subject }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
  };
};

export const createSignIn = (
  server: AuthorizationServer,
  client: StoredClient,
  resource: string,
  tokens: TokenEndpointResponse,
): StoredSignIn => ({
  issuer: server.issuer,
  resource,
  client,
  tokenEndpoint: server.token_endpoint ?? '',
  ...(server.revocation_endpoint !== undefined && {
    revocationEndpoint: server.revocation_endpoint,
  }),
  ...toTokenFields(tokens),
});

const refresh = async (signIn: StoredSignIn, refreshToken: string): Promise<StoredSignIn> => {
  const { issuer, tokenEndpoint, client, resource } = signIn;
  const server = { issuer, token_endpoint: tokenEndpoint };
  const known = { client_id: client.clientId };
  const auth = createClientAuth(client);
  const answer = await refreshTokenGrantRequest(server, known, auth, refreshToken, {
    ...REQUEST_OPTIONS,
    additionalParameters: { resource },
  });
  const tokens = await processRefreshTokenResponse(server, known, answer);
  const { expiresAt: _, refreshAt: _at, ...rest } = signIn;
  return { ...rest, ...toTokenFields(tokens) };
};

/** Returns a new token. Refreshes while no other process does: a refresh token that is used twice ends the sign-in. */
export const refreshSignIn = (store: SignInStore, url: string): Promise<string> =>
  store.exclusively(async () => {
    const found = await store.get(url);
    if (found === undefined) throw signInRequired(url);
    const { signIn } = found;
    if (isFresh(signIn)) return signIn.accessToken;
    if (signIn.refreshToken === undefined) {
      if (isValid(signIn)) return signIn.accessToken;
      throw signInRequired(url, 'no longer accepts the sign-in');
    }
    try {
      const renewed = await refresh(signIn, signIn.refreshToken);
      await store.set(url, renewed);
      return renewed.accessToken;
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
        await store.delete(url);
        throw signInRequired(url, 'no longer accepts the sign-in');
      }
      if (isValid(signIn)) return signIn.accessToken;
      throw signInFailure(signIn.issuer, error);
    }
  });

const revoke = async (
  { issuer, client }: StoredSignIn,
  revocationEndpoint: string,
  token: string,
): Promise<boolean> => {
  const server = { issuer, revocation_endpoint: revocationEndpoint };
  const known = { client_id: client.clientId };
  try {
    const auth = createClientAuth(client);
    const answer = await revocationRequest(server, known, auth, token, REQUEST_OPTIONS);
    await processRevocationResponse(answer);
    return true;
  } catch {
    return false;
  }
};

/**
 * Revokes the tokens at the authorization server (RFC 7009). Returns whether it confirmed that for the refresh token, or without one for
 * the access token: servers need not be able to revoke access tokens, which expire soon.
 */
export const revokeSignIn = async (signIn: StoredSignIn): Promise<boolean> => {
  const { revocationEndpoint, accessToken, refreshToken } = signIn;
  if (revocationEndpoint === undefined) return false;
  const isEnded =
    refreshToken !== undefined && (await revoke(signIn, revocationEndpoint, refreshToken));
  const isAccessEnded = await revoke(signIn, revocationEndpoint, accessToken);
  return refreshToken === undefined ? isAccessEnded : isEnded;
};
