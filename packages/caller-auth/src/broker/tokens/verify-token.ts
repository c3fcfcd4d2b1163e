import type { Principal } from '@gateway/call-contract';
import type { CurrentServer } from '../server/current-server.ts';
import { permittedScopes } from '../server/gateway-scopes.ts';
import { principalOf } from '../upstream/account.ts';

/** Result of the verification of an access token. */
export type AccessTokenOutcome =
  | {
      readonly ok: true;
      readonly principal: Principal;
      /** Time from which the token is refused, in milliseconds since the epoch. */
      readonly expiresAt: number;
      /** Time until which this result may be reused, in milliseconds since the epoch. */
      readonly reusableUntil: number;
    }
  | { readonly ok: false; readonly code: 'inactive' | 'unavailable' };

/** Verifies access tokens of this server. */
export interface AccessTokenVerifier {
  /** Never rejects. */
  verify(token: string): Promise<AccessTokenOutcome>;
}

/** Time for which a result is reused: a revoked token ends within it, in milliseconds. */
const REUSE_MS = 5000;

/** Access tokens of this server: 256 random bits. */
const FORM = /^[\w-]{43}$/u;

const INACTIVE: AccessTokenOutcome = { ok: false, code: 'inactive' };

const lookUp = async (
  { latest: { context, provider } }: CurrentServer,
  token: string,
): Promise<AccessTokenOutcome> => {
  const { resource, accounts, adminGroups, now } = context;
  const stored = await provider.AccessToken.find(token);
  if (stored === undefined || stored.aud !== resource) return INACTIVE;
  const [grant, account] = await Promise.all([
    provider.Grant.find(stored.grantId),
    accounts.find(stored.accountId),
  ]);
  const expiresAt = (stored.exp ?? 0) * 1000;
  if (grant === undefined || account === undefined || expiresAt <= now()) return INACTIVE;
  // The provider ended the sign-in of the person, for example when the ID token was refreshed.
  if (account.hasEnded === true) return INACTIVE;
  const scopes = permittedScopes([...stored.scopes], account, adminGroups);
  const principal = { ...principalOf(account), scopes };
  return { ok: true, principal, expiresAt, reusableUntil: now() + REUSE_MS };
};

/** Returns the verification of access tokens: each one is looked up, so that a revoked token ends at once where results are not reused. */
export const createAccessTokenVerifier = (server: CurrentServer): AccessTokenVerifier => ({
  verify: async (token) => {
    if (!FORM.test(token)) return INACTIVE;
    try {
      return await lookUp(server, token);
    } catch {
      return { ok: false, code: 'unavailable' };
    }
  },
});
