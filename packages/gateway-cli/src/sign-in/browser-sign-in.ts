import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  processAuthorizationCodeResponse,
  validateAuthResponse,
  type AuthorizationServer,
} from 'oauth4webapi';
import { CommandFailure } from '../failure.ts';
import { requestedScopes } from './authorization-request.ts';
import { listenForCallback, type CallbackListener } from './callback-listener.ts';
import { clientAuth, identifyClient, type ClientOptions } from './identify-client.ts';
import { REQUEST_OPTIONS, requireSecure } from './sign-in-fetch.ts';
import { createSignIn, type SignInParties } from './create-sign-in.ts';
import type { StoredSignIn } from './stored-sign-in.ts';

/** A sign-in that starts. */
export interface SignInRequest {
  readonly server: AuthorizationServer;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly client: ClientOptions;
  readonly signal: AbortSignal;
}

/** The secrets of one authorization request. */
interface Secrets {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

const authorizationUrl = async (
  { server, client, resource }: SignInParties,
  { scopes, redirectUri }: { readonly scopes: readonly string[]; readonly redirectUri: string },
  { verifier, state, nonce }: Secrets,
): Promise<URL> => {
  if (server.authorization_endpoint === undefined) {
    throw new CommandFailure('failed', `${server.issuer} has no page for sign-ins`);
  }
  const url = requireSecure(new URL(server.authorization_endpoint));
  const { scope, asksForConsent } = requestedScopes(server, scopes);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scope !== '' && { scope }),
    ...(scope.split(' ').includes('openid') && { nonce }),
    ...(asksForConsent && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
};

const redeem = async (
  { server, client, resource }: SignInParties,
  response: { readonly url: URL; readonly redirectUri: string },
  { verifier, state, nonce }: Secrets,
): Promise<StoredSignIn> => {
  const known = { client_id: client.clientId };
  // Checks `iss` (RFC 9207) and `state` before it reads anything else, errors included.
  const parameters = validateAuthResponse(server, known, response.url, state);
  const answer = await authorizationCodeGrantRequest(
    server,
    known,
    clientAuth(client),
    parameters,
    response.redirectUri,
    verifier,
    { ...REQUEST_OPTIONS, additionalParameters: { resource } },
  );
  const tokens = await processAuthorizationCodeResponse(server, known, answer, {
    expectedNonce: nonce,
  });
  return createSignIn({ server, client, resource }, tokens);
};

const signInWith = async (
  { server, resource, scopes, client: options, signal }: SignInRequest,
  listener: CallbackListener,
  show: (url: URL) => void,
): Promise<StoredSignIn> => {
  const { redirectUri } = listener;
  const purpose = { grantType: 'authorization_code', redirectUris: [redirectUri] } as const;
  const client = await identifyClient(server, options, purpose);
  const parties = { server, client, resource };
  const secrets = {
    verifier: generateRandomCodeVerifier(),
    state: generateRandomState(),
    nonce: generateRandomNonce(),
  };
  const url = await authorizationUrl(parties, { scopes, redirectUri }, secrets);
  const response = listener.response(secrets.state, signal);
  show(url);
  return redeem(parties, { url: await response, redirectUri }, secrets);
};

/**
 * Signs in with the authorization code flow and PKCE.
 * @param show shows the URL that the person opens
 */
export const signInWithBrowser = async (
  request: SignInRequest,
  show: (url: URL) => void,
): Promise<StoredSignIn> => {
  const listener = await listenForCallback();
  try {
    return await signInWith(request, listener, show);
  } finally {
    listener.close();
  }
};
