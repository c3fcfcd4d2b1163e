import { randomUUID } from 'node:crypto';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import * as oauth from 'oauth4webapi';
import { createBasicAuthentication, conformOAuthAnswer } from '@gateway/service-host';
import type { ClientIdentity } from '../clients/identify-client.ts';
import type { AuthorizationServerMetadata } from '../discovery/metadata.ts';
import { toOAuthFailure, type OAuthFailure, createOAuthOptions } from '../storage/oauth-failure.ts';
import type { AccessToken } from './token-records.ts';

export interface TokenEndpoint {
  readonly metadata: AuthorizationServerMetadata;
  readonly client: ClientIdentity;
  readonly fetch: GuardedFetch;
  readonly clock: () => number;
}

export type TokenAnswer =
  | { readonly ok: true; readonly token: AccessToken; readonly refreshToken: string | undefined }
  | { readonly ok: false; readonly failure: OAuthFailure };

const MAX_TOKEN_CHARS = 32 * 1024;
const HEADER_TEXT = /^[\x21-\x7e]+$/;
const MAX_LIFETIME_S = 365 * 24 * 60 * 60;

const describeUnusable = ({ token_type: type }: oauth.TokenEndpointResponse): string =>
  type === 'bearer'
    ? 'the authorization server issued a token that no header can carry'
    : 'the authorization server issued a token whose token_type is not Bearer';

const toClientAuth = ({ clientSecret, method }: ClientIdentity): oauth.ClientAuth => {
  if (clientSecret === undefined) return oauth.None();
  switch (method) {
    case 'none':
      return oauth.None();
    case 'client_secret_basic':
      return createBasicAuthentication(clientSecret);
    case 'client_secret_post':
      return oauth.ClientSecretPost(clientSecret);
  }
};

/** Access tokens are used without the ID token of the answer, so its form does not matter. */
const readAnswer = async (response: Response): Promise<Response> => {
  const conform = await conformOAuthAnswer(response, 'token');
  if (!conform.ok) return conform;
  const { id_token: _, ...answer } = (await conform.json()) as Readonly<Record<string, unknown>>;
  return new Response(JSON.stringify(answer), conform);
};

const isUsable = (text: string): boolean =>
  text.length <= MAX_TOKEN_CHARS && HEADER_TEXT.test(text);

const readToken = (
  answer: oauth.TokenEndpointResponse,
  resource: string,
  now: number,
): AccessToken | undefined => {
  const { access_token: accessToken, token_type: type, expires_in: lifetime } = answer;
  if (type !== 'bearer' || !isUsable(accessToken)) return undefined;
  const seconds = lifetime === undefined ? undefined : Math.min(lifetime, MAX_LIFETIME_S);
  return {
    id: randomUUID(),
    resource,
    accessToken,
    obtainedAt: now,
    ...(seconds !== undefined && { expiresAt: now + seconds * 1_000 }),
  };
};

interface TokenRequest {
  readonly grantType: 'authorization_code' | 'refresh_token';
  readonly parameters: Readonly<Record<string, string>>;
  readonly resource: string;
}

const requestTokens = async (
  { metadata, client, fetch, clock }: TokenEndpoint,
  { grantType, parameters, resource }: TokenRequest,
): Promise<TokenAnswer> => {
  try {
    const oauthClient = { client_id: client.clientId };
    const response = await oauth.genericTokenEndpointRequest(
      metadata,
      oauthClient,
      toClientAuth(client),
      grantType,
      { ...parameters, resource },
      createOAuthOptions(fetch),
    );
    const answer = await oauth.processGenericTokenEndpointResponse(
      metadata,
      oauthClient,
      await readAnswer(response),
    );
    const token = readToken(answer, resource, clock());
    if (token === undefined) return { ok: false, failure: { reason: describeUnusable(answer) } };
    const { refresh_token: refreshToken } = answer;
    const isKept = refreshToken !== undefined && isUsable(refreshToken);
    return { ok: true, token, refreshToken: isKept ? refreshToken : undefined };
  } catch (error) {
    return { ok: false, failure: toOAuthFailure(error) };
  }
};

/** Exchanges an authorization code. Never rejects. RFC 6749 §4.1.3, RFC 7636 §4.5, RFC 8707 §2.2 */
export const exchangeCode = (
  endpoint: TokenEndpoint,
  code: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
    readonly resource: string;
  },
): Promise<TokenAnswer> =>
  requestTokens(endpoint, {
    grantType: 'authorization_code',
    resource: code.resource,
    parameters: { code: code.code, code_verifier: code.verifier, redirect_uri: code.redirectUri },
  });

/** Returns whether the issuer answers a request for a code that does not exist with `invalid_client`. Never rejects. RFC 6749 §5.2 */
export const isForgotten = async (
  endpoint: TokenEndpoint,
  login: { readonly redirectUri: string; readonly resource: string },
): Promise<boolean> => {
  const [code, verifier] = [randomUUID(), randomUUID() + randomUUID()];
  const answer = await exchangeCode(endpoint, { code, verifier, ...login });
  return !answer.ok && answer.failure.error === 'invalid_client';
};

/** Requests an access token for a resource with a refresh token. Never rejects. RFC 6749 §6, RFC 8707 §2.2 */
export const refreshAccess = (
  endpoint: TokenEndpoint,
  refreshToken: string,
  resource: string,
): Promise<TokenAnswer> =>
  requestTokens(endpoint, {
    grantType: 'refresh_token',
    resource,
    parameters: { refresh_token: refreshToken },
  });

/** Revokes a token where the issuer supports it; failures are ignored. RFC 7009 §2.1 */
export const revokeToken = async (
  { metadata, client, fetch }: TokenEndpoint,
  token: string,
  hint: 'access_token' | 'refresh_token',
): Promise<void> => {
  if (metadata.revocation_endpoint === undefined) return;
  const options = { ...createOAuthOptions(fetch), additionalParameters: { token_type_hint: hint } };
  await oauth
    .revocationRequest(
      metadata,
      { client_id: client.clientId },
      toClientAuth(client),
      token,
      options,
    )
    .catch(() => undefined);
};
