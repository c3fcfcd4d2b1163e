import { setTimeout as pause } from 'node:timers/promises';
import {
  deviceAuthorizationRequest,
  deviceCodeGrantRequest,
  processDeviceAuthorizationResponse,
  processDeviceCodeResponse,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { CommandFailure } from '../failure.ts';
import { requestedScopes } from './authorization-request.ts';
import type { SignInRequest } from './browser-sign-in.ts';
import { clientAuth, identifyClient } from './identify-client.ts';
import { REQUEST_OPTIONS, requireSecure } from './sign-in-fetch.ts';
import { createSignIn, type SignInParties } from './create-sign-in.ts';
import type { StoredSignIn } from './stored-sign-in.ts';

/** The page and the code for another device. */
export interface DeviceCode {
  readonly url: URL;
  readonly code: string;
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const INTERVAL_SECONDS = 5;

/** RFC 8628 section 3.5: milliseconds to add before the next request, or undefined when the answer is final. */
const delayAfter = (error: unknown): number | undefined => {
  if (!(error instanceof ResponseBodyError)) return undefined;
  if (error.error === 'authorization_pending') return 0;
  return error.error === 'slow_down' ? INTERVAL_SECONDS * 1000 : undefined;
};

interface Poll {
  readonly deviceCode: string;
  readonly intervalMs: number;
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

const requestTokens = async (
  { server, client, resource }: SignInParties,
  { deviceCode, signal }: Poll,
): Promise<TokenEndpointResponse> => {
  const known = { client_id: client.clientId };
  const options = { ...REQUEST_OPTIONS, signal, additionalParameters: { resource } };
  const answer = await deviceCodeGrantRequest(
    server,
    known,
    clientAuth(client),
    deviceCode,
    options,
  );
  return processDeviceCodeResponse(server, known, answer);
};

const interrupted = (): CommandFailure =>
  new CommandFailure('failed', 'the sign-in was not completed');

const pollTokens = async (parties: SignInParties, poll: Poll): Promise<TokenEndpointResponse> => {
  let { intervalMs } = poll;
  for (;;) {
    await pause(intervalMs, undefined, { signal: poll.signal }).catch(() => {
      throw interrupted();
    });
    if (Date.now() > poll.endsAt) throw interrupted();
    try {
      return await requestTokens(parties, poll);
    } catch (error) {
      const delay = delayAfter(error);
      if (delay === undefined) throw error;
      intervalMs += delay;
    }
  }
};

/**
 * Signs in with a code that the person enters on any device (RFC 8628).
 * @param show shows the page and the code
 */
export const signInWithDevice = async (
  { server, resource, scopes, client: options, signal }: SignInRequest,
  show: (code: DeviceCode) => void,
): Promise<StoredSignIn> => {
  if (server.device_authorization_endpoint === undefined) {
    throw new CommandFailure('failed', `${server.issuer} has no device flow: omit --device`);
  }
  const client = await identifyClient(server, options, { grantType: GRANT, redirectUris: [] });
  const known = { client_id: client.clientId };
  const { scope } = requestedScopes(server, scopes);
  const answer = await deviceAuthorizationRequest(
    server,
    known,
    clientAuth(client),
    { resource, ...(scope !== '' && { scope }) },
    { ...REQUEST_OPTIONS, signal },
  );
  const started = await processDeviceAuthorizationResponse(server, known, answer);
  const page = started.verification_uri_complete ?? started.verification_uri;
  show({ url: requireSecure(new URL(page)), code: started.user_code });
  const parties = { server, client, resource };
  const tokens = await pollTokens(parties, {
    deviceCode: started.device_code,
    intervalMs: (started.interval ?? INTERVAL_SECONDS) * 1000,
    endsAt: Date.now() + started.expires_in * 1000,
    signal,
  });
  return createSignIn(parties, tokens);
};
