import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { SignInSettings } from '../settings/portal-settings.ts';
import type { SignedInSession } from './session-record.ts';

/** Seconds that a token counts where the provider does not say. */
const DEFAULT_SECONDS = 300;
/** Characters of a name that are shown. */
const MAX_NAME = 200;

/** A response of the token endpoint. */
export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The circumstances of a response. */
export interface TokenCircumstances {
  readonly settings: Pick<SignInSettings, 'token'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The session before a refresh. */
  readonly known?: SignedInSession;
}

const personOf = (
  tokens: Tokens,
  known: SignedInSession | undefined,
): Pick<SignedInSession, 'subject' | 'name'> => {
  const claims = tokens.claims();
  if (claims === undefined) return { subject: known?.subject ?? '', name: known?.name ?? '' };
  const { sub, email, name, preferred_username: username } = claims;
  const shown = [name, email, username].find((text) => typeof text === 'string' && text !== '');
  return { subject: sub, name: (typeof shown === 'string' ? shown : sub).slice(0, MAX_NAME) };
};

/** The token of the services and its end; undefined when a new one is needed and the response has none. */
const authorizationOf = (
  tokens: Tokens,
  { settings, now }: TokenCircumstances,
): Pick<SignedInSession, 'token' | 'expiresAt'> | undefined => {
  if (settings.token === 'access_token')
    return {
      token: tokens.access_token,
      expiresAt: now + (tokens.expiresIn() ?? DEFAULT_SECONDS) * 1_000,
    };
  const claims = tokens.claims();
  return tokens.id_token === undefined || claims === undefined
    ? undefined
    : { token: tokens.id_token, expiresAt: claims.exp * 1_000 };
};

/**
 * Returns the session of a response of the token endpoint; undefined when the response lacks the token of the services. After a
 * refresh a provider may leave out what has not changed.
 */
export const sessionOfTokens = (
  tokens: Tokens,
  circumstances: TokenCircumstances,
): SignedInSession | undefined => {
  const { known } = circumstances;
  const authorization = authorizationOf(tokens, circumstances);
  const idToken = tokens.id_token ?? known?.idToken;
  const refreshToken = tokens.refresh_token ?? known?.refreshToken;
  // An empty subject identifies no user.
  return authorization === undefined || tokens.claims()?.sub === ''
    ? undefined
    : {
        ...personOf(tokens, known),
        ...authorization,
        ...(refreshToken !== undefined && { refreshToken }),
        ...(idToken !== undefined && { idToken }),
      };
};
