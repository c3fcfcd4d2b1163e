import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { SignInSettings } from '../settings/portal-settings.ts';
import type { SignedInSession } from './session-record.ts';

/** Seconds that a token counts where the provider does not say. */
const DEFAULT_SECONDS = 300;

/** A response of the token endpoint. */
export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

const personOf = (
  tokens: Tokens,
  known: SignedInSession | undefined,
): Pick<SignedInSession, 'subject' | 'name'> => {
  const claims = tokens.claims();
  if (claims === undefined) return { subject: known?.subject ?? '', name: known?.name ?? '' };
  const { sub, email, name, preferred_username: username } = claims;
  const shown = [name, email, username].find((text) => typeof text === 'string' && text !== '');
  return { subject: sub, name: typeof shown === 'string' ? shown : sub };
};

/** Returns the session of a response of the token endpoint. After a refresh (`known`) a provider may leave out what has not changed. */
export const sessionOfTokens = (
  tokens: Tokens,
  {
    settings,
    now,
    known,
  }: { readonly settings: SignInSettings; readonly now: number; readonly known?: SignedInSession },
): SignedInSession => {
  const idToken = tokens.id_token ?? known?.idToken;
  const refreshToken = tokens.refresh_token ?? known?.refreshToken;
  return {
    ...personOf(tokens, known),
    token: settings.token === 'id_token' ? (idToken ?? '') : tokens.access_token,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
    expiresAt: now + (tokens.expiresIn() ?? DEFAULT_SECONDS) * 1_000,
  };
};
