import type { GuardedFetch } from '@gateway/guarded-fetch';
import { basicAuthorization } from '@gateway/service-host';
import * as client from 'openid-client';
import type { SignInSettings } from '../settings/portal-settings.ts';

/** Returns the client of the provider, with the provider's metadata. Rejects when the provider does not answer. */
export type ProviderClient = () => Promise<client.Configuration>;

const secretBasic =
  (clientId: string, clientSecret: string): client.ClientAuth =>
  (_server, _client, _body, headers) => {
    headers.set('authorization', basicAuthorization({ clientId, clientSecret }));
  };

const discover = async (
  { issuer, clientId, clientSecret, scopes }: SignInSettings,
  fetch: GuardedFetch,
): Promise<client.Configuration> => {
  const secret = await clientSecret();
  const url = new URL(issuer);
  return client.discovery(
    url,
    clientId,
    undefined,
    secret === undefined ? client.None() : secretBasic(clientId, secret),
    {
      algorithm: scopes.includes('openid') ? 'oidc' : 'oauth2',
      [client.customFetch]: (target, init) => fetch(target, init as RequestInit),
      execute: [
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- the guarded `fetch` permits http for loopback addresses only
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
};

/** Creates a client that reads the metadata at the first sign-in, and again after a failure. */
export const providerClient = (settings: SignInSettings, fetch: GuardedFetch): ProviderClient => {
  let discovered: Promise<client.Configuration> | undefined;
  return () => {
    discovered ??= discover(settings, fetch).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
};
