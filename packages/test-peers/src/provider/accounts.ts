import type { FindAccount } from 'oidc-provider';
import type { ProviderUser } from './provider-options.ts';

/** The people of a provider. */
export interface Accounts {
  readonly find: FindAccount;
  /** Returns the subject whose name and password these are, or undefined. */
  readonly verify: (name: string, password: string) => string | undefined;
}

const subjectOf = (user: ProviderUser): string => user.subject ?? user.name;

const anyone = (name: string): ProviderUser => ({ name, password: 'password' });

/** Creates the accounts of a provider. @param users undefined accepts every name with the password `password` */
export const createAccounts = (users: readonly ProviderUser[] | undefined): Accounts => {
  const userOf = (subject: string): ProviderUser | undefined =>
    users === undefined ? anyone(subject) : users.find((user) => subjectOf(user) === subject);
  const byName = (name: string): ProviderUser | undefined =>
    users === undefined ? anyone(name) : users.find((user) => user.name === name);
  const claims = (user: ProviderUser) => ({
    sub: subjectOf(user),
    name: user.name,
    email: user.email ?? `${user.name}@example.com`,
    email_verified: true,
    groups: [...(user.groups ?? ['staff'])],
  });
  return {
    find: (_ctx, subject) => {
      const user = userOf(subject);
      return user && { accountId: subject, claims: () => Promise.resolve(claims(user)) };
    },
    verify: (name, password) => {
      const user = byName(name);
      return user !== undefined && name !== '' && user.password === password
        ? subjectOf(user)
        : undefined;
    },
  };
};
