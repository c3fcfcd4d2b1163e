import type { GuardedFetch } from '@gateway/guarded-fetch';
import { conformOAuthAnswer } from '@gateway/service-host';
import * as oauth from 'oauth4webapi';
import type { AuthorizationServerMetadata } from '../discovery/metadata.ts';
import { oauthFailure } from '../storage/oauth-failure.ts';
import { oauthOptions } from '../storage/oauth-options.ts';
import { clientMetadata } from './client-document.ts';
import { parseClientIdentity, registrationMethodOf, secretMethodOf } from './client-identity.ts';
import type { ClientIdentity } from './client-identity.ts';

/** A client, or one line why there is none. */
export type ClientOutcome =
  | { readonly ok: true; readonly client: ClientIdentity }
  | { readonly ok: false; readonly reason: string };

const identityOf = (
  answer: oauth.OmitSymbolProperties<oauth.Client>,
  { token_endpoint_auth_methods_supported: supported }: AuthorizationServerMetadata,
): ClientIdentity | undefined => {
  const secret = typeof answer['client_secret'] === 'string' ? answer['client_secret'] : undefined;
  const ends = answer['client_secret_expires_at'];
  const method = answer['token_endpoint_auth_method'] ?? (secret && secretMethodOf(supported));
  return parseClientIdentity({
    clientId: answer.client_id,
    ...(secret !== undefined && secret !== '' && { clientSecret: secret }),
    method: secret === undefined || secret === '' ? 'none' : method,
    kind: 'registered',
    ...(typeof ends === 'number' && ends > 0 && { expiresAt: ends * 1_000 }),
  });
};

/** Registers the gateway at an authorization server. Never rejects. RFC 7591 §3 */
export const registerClient = async (
  metadata: AuthorizationServerMetadata,
  redirectUri: string,
  fetch: GuardedFetch,
): Promise<ClientOutcome> => {
  const method = registrationMethodOf(metadata.token_endpoint_auth_methods_supported);
  const request = { ...clientMetadata(redirectUri), token_endpoint_auth_method: method };
  try {
    const response = await oauth.dynamicClientRegistrationRequest(
      metadata,
      request,
      oauthOptions(fetch),
    );
    const client = identityOf(
      await oauth.processDynamicClientRegistrationResponse(
        await conformOAuthAnswer(response, 'registration'),
      ),
      metadata,
    );
    if (client !== undefined) return { ok: true, client };
    return { ok: false, reason: 'the registration was answered with a client that cannot be used' };
  } catch (error) {
    return { ok: false, reason: `the registration failed: ${oauthFailure(error).reason}` };
  }
};
