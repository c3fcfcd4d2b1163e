import type { IDToken, UserInfoResponse } from 'openid-client';
import type { UpstreamSettings } from '../settings/broker-settings.ts';
import type { Account } from './account.ts';

const MAX_GROUPS = 1000;
const MAX_CLAIM_CHARS = 1024;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CLAIM_CHARS ? value : undefined;

const groupsOf = (value: unknown): readonly string[] | undefined => {
  const listed: readonly unknown[] | undefined = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? [value]
      : undefined;
  return listed
    ?.slice(0, MAX_GROUPS)
    .map(textOf)
    .filter((group) => group !== undefined);
};

const claimOf = (claims: IDToken | UserInfoResponse, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

/** The facts about a person that may change while the person is signed in. */
export type PersonFacts = Pick<Account, 'email' | 'name' | 'groups' | 'groupsAt'>;

/** The facts of an account that come from the claims of an ID token. */
export type ClaimedFacts = PersonFacts &
  Pick<Account, 'issuer' | 'subject' | 'audiences' | 'idTokenExpiresAt'>;

/** How claims become facts. */
export interface ClaimRules {
  /** The names of the claims. */
  readonly names: UpstreamSettings['claims'];
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

/** Values of `email_verified` with which a provider says no; some write the claim as text. */
const UNVERIFIED: ReadonlySet<unknown> = new Set([false, 'false']);

/** Returns the facts about a person that claims state. An e-mail address that the provider has not verified is left out. */
export const personFacts = (
  claims: IDToken | UserInfoResponse,
  { names, now }: ClaimRules,
): PersonFacts => {
  const isUnverified = UNVERIFIED.has(claimOf(claims, 'email_verified'));
  const email = isUnverified ? undefined : textOf(claimOf(claims, names.email));
  const name = textOf(claimOf(claims, names.name));
  const groups = groupsOf(claimOf(claims, names.groups));
  return {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(groups === undefined ? {} : { groups, groupsAt: now() }),
  };
};

/** Returns the facts that a verified ID token states. */
export const claimedFacts = (claims: IDToken, rules: ClaimRules): ClaimedFacts => ({
  issuer: claims.iss,
  subject: claims.sub,
  audiences: [claims.aud].flat(),
  idTokenExpiresAt: claims.exp * 1000,
  ...personFacts(claims, rules),
});
