import { createHash } from 'node:crypto';
import { signedInPrincipal, type Principal } from '@gateway/call-contract';
import type { StateKey, StateStore } from '@gateway/state-store';

/** The facts of a person who signed in, and the tokens of the OpenID provider for this person. Stored, never sent to a client. */
export interface Account {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly name?: string;
  readonly groups?: readonly string[];
  /** When the provider last stated the groups, in milliseconds since the epoch. */
  readonly groupsAt?: number;
  readonly idToken: string;
  /** Expiry of the ID token in milliseconds since the epoch. */
  readonly idTokenExpiresAt: number;
  readonly audiences: readonly string[];
  readonly refreshToken?: string;
  /** When the provider last confirmed the sign-in, in milliseconds since the epoch. */
  readonly checkedAt: number;
  /** The provider ended the sign-in: the person must sign in again. */
  readonly hasEnded?: true;
}

/** Returns the identifier of a person at this authorization server: a digest, so that it has a fixed form and shows nothing. */
export const accountIdOf = (principalKey: string): string =>
  createHash('sha256').update(principalKey).digest('base64url');

/** Returns the principal of an account. */
export const principalOf = ({ issuer, subject, email, groups }: Account): Principal =>
  signedInPrincipal({
    issuer,
    subject,
    ...(email === undefined ? {} : { email }),
    ...(groups === undefined ? {} : { groups }),
  });

/** The stored accounts. */
export interface Accounts {
  find(accountId: string): Promise<Account | undefined>;
  /** Stores an account and returns its identifier. */
  save(account: Account): Promise<string>;
  delete(accountId: string): Promise<void>;
}

const keyOf = (accountId: string): StateKey => ['broker-account', accountId];

/** Returns the accounts in a store. An account expires `ttlMs` after it was last saved. */
export const createAccounts = (store: StateStore, ttlMs: number): Accounts => ({
  find: async (accountId) => {
    const stored = await store.get(keyOf(accountId));
    return stored === undefined ? undefined : (JSON.parse(stored) as Account);
  },
  save: async (account) => {
    const accountId = accountIdOf(principalOf(account).key);
    await store.set(keyOf(accountId), JSON.stringify(account), { ttlMs });
    return accountId;
  },
  delete: (accountId) => store.delete(keyOf(accountId)),
});
