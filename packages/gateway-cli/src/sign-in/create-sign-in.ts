import {
  getValidatedIdTokenClaims,
  type AuthorizationServer,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import type { ClientIdentity } from './identify-client.ts';
import type { StoredSignIn } from './stored-sign-in.ts';
import { refreshTime } from './token-expiry.ts';

/** The parties of a sign-in. */
export interface SignInParties {
  readonly server: AuthorizationServer;
  readonly client: ClientIdentity;
  readonly resource: string;
}

/** Returns the text of a claim of a JWT without a verification of its signature. */
const unverifiedSubject = (token: string): string | undefined => {
  try {
    const claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
    ) as { sub?: unknown } | null;
    return typeof claims?.sub === 'string' ? claims.sub : undefined;
  } catch {
    return undefined;
  }
};

const MAX_SHOWN_CHARS = 320;

const textClaim = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_SHOWN_CHARS ? value : undefined;

/** Returns the facts about the person; those that a response does not state are absent. */
const personFields = (
  tokens: TokenEndpointResponse,
): Pick<StoredSignIn, 'email' | 'name' | 'subject'> => {
  const claims = getValidatedIdTokenClaims(tokens);
  const subject = claims?.sub ?? unverifiedSubject(tokens.access_token);
  const email = textClaim(claims?.['email']);
  const name = textClaim(claims?.['name']);
  return {
    ...(subject !== undefined && { subject }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
  };
};

/** The properties of a sign-in that come from a token response. */
type TokenFields = Pick<
  StoredSignIn,
  | 'accessToken'
  | 'email'
  | 'expiresAt'
  | 'name'
  | 'refreshAt'
  | 'refreshToken'
  | 'scope'
  | 'subject'
>;

/** Returns the properties that a token response gives; a refresh may omit all but the access token. */
export const tokenFields = (tokens: TokenEndpointResponse, now: number): TokenFields => {
  const lifetimeMs = tokens.expires_in === undefined ? undefined : tokens.expires_in * 1000;
  return {
    accessToken: tokens.access_token,
    ...(lifetimeMs !== undefined && {
      expiresAt: now + lifetimeMs,
      refreshAt: refreshTime(now, lifetimeMs),
    }),
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
    ...personFields(tokens),
  };
};

/** Returns the sign-in that a token response completes. */
export const createSignIn = (
  { server, client, resource }: SignInParties,
  tokens: TokenEndpointResponse,
): StoredSignIn => ({
  issuer: server.issuer,
  resource,
  client,
  tokenEndpoint: server.token_endpoint ?? '',
  ...(server.revocation_endpoint !== undefined && {
    revocationEndpoint: server.revocation_endpoint,
  }),
  ...tokenFields(tokens, Date.now()),
});
