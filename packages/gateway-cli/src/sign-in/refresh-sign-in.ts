import {
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
} from 'oauth4webapi';
import { tokenFields } from './create-sign-in.ts';
import { clientAuth } from './identify-client.ts';
import { REQUEST_OPTIONS } from './sign-in-fetch.ts';
import { signInFailure } from './sign-in-failure.ts';
import { signInRequired } from './sign-in-required.ts';
import type { SignInStore } from './sign-in-store.ts';
import type { StoredSignIn } from './stored-sign-in.ts';
import { isFresh, isValid } from './token-expiry.ts';

const refresh = async (signIn: StoredSignIn, refreshToken: string): Promise<StoredSignIn> => {
  const { issuer, tokenEndpoint, client, resource } = signIn;
  const server = { issuer, token_endpoint: tokenEndpoint };
  const known = { client_id: client.clientId };
  const options = { ...REQUEST_OPTIONS, additionalParameters: { resource } };
  const answer = await refreshTokenGrantRequest(
    server,
    known,
    clientAuth(client),
    refreshToken,
    options,
  );
  const tokens = await processRefreshTokenResponse(server, known, answer);
  const { expiresAt: _, refreshAt: _at, ...rest } = signIn;
  return { ...rest, ...tokenFields(tokens, Date.now()) };
};

const hasEnded = (error: unknown): boolean =>
  error instanceof ResponseBodyError && error.error === 'invalid_grant';

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
      if (hasEnded(error)) {
        await store.delete(url);
        throw signInRequired(url, 'no longer accepts the sign-in');
      }
      if (isValid(signIn)) return signIn.accessToken;
      throw signInFailure(signIn.issuer, error);
    }
  });
