import type * as client from 'openid-client';
import { isFromFuture, subjectOf } from '../../resource-server/index.ts';
import type { UpstreamSettings } from '../settings/broker-settings.ts';
import type { Account } from './account.ts';
import { claimedFacts } from './account-claims.ts';
import { factsWithoutIdToken } from './facts-without-id-token.ts';

/** Tokens of the provider and the facts that they state. */
export type SignedIn = Omit<Account, 'checkedAt' | 'hasEnded'>;

/** The settings under which tokens become an account. */
interface AccountOptions {
  readonly settings: UpstreamSettings;
  readonly now: () => number;
  readonly groupsMs: number;
  readonly onFailure: (line: string) => void;
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/**
 * Returns the account that an ID token states; `undefined` for a response without one. The library checks the signature, the issuer, the
 * audience and the expiry. Rejects a token that the resource server would refuse for its subject or its time.
 */
export const claimedAccount = (
  tokens: Tokens,
  { settings, now }: Pick<AccountOptions, 'settings' | 'now'>,
): SignedIn | undefined => {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) return undefined;
  if (subjectOf(claims.sub) === undefined) throw new Error('the ID token names no subject');
  if (isFromFuture(claims, now())) throw new Error('the ID token is from the future');
  const { refresh_token: refreshToken } = tokens;
  return {
    ...claimedFacts(claims, { names: settings.claims, now }),
    idToken: tokens.id_token,
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
};

/** Returns the account after a refresh: of its ID token, else with the facts of UserInfo. Rejects when the response is about another person. */
export const refreshedAccount = async (
  tokens: Tokens,
  account: Account,
  {
    configuration,
    options,
  }: { readonly configuration: client.Configuration; readonly options: AccountOptions },
): Promise<SignedIn> => {
  const refreshToken = tokens.refresh_token ?? account.refreshToken;
  const refreshable = refreshToken === undefined ? {} : { refreshToken };
  const claimed = claimedAccount(tokens, options);
  if (claimed !== undefined) {
    // OpenID Connect Core §12.2: a refreshed ID token is about the same person.
    if (claimed.subject !== account.subject) throw new Error('another subject');
    return { ...claimed, ...refreshable };
  }
  const { settings, now, groupsMs, onFailure } = options;
  const facts = await factsWithoutIdToken(account, tokens.access_token, {
    ...{ configuration, names: settings.claims, now, groupsMs },
    onFailure: (code) => onFailure(`UserInfo at ${settings.issuer}: ${code}`),
  });
  const { issuer, subject, idToken, idTokenExpiresAt, audiences } = account;
  return { issuer, subject, idToken, idTokenExpiresAt, audiences, ...facts, ...refreshable };
};
