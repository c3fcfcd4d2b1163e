import { processRevocationResponse, revocationRequest } from 'oauth4webapi';
import { clientAuth } from './identify-client.ts';
import { REQUEST_OPTIONS } from './sign-in-fetch.ts';
import type { StoredSignIn } from './stored-sign-in.ts';

const revoke = async (
  { issuer, client }: StoredSignIn,
  revocationEndpoint: string,
  token: string,
): Promise<boolean> => {
  const server = { issuer, revocation_endpoint: revocationEndpoint };
  const known = { client_id: client.clientId };
  try {
    const answer = await revocationRequest(
      server,
      known,
      clientAuth(client),
      token,
      REQUEST_OPTIONS,
    );
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
