/** The authenticated party on whose behalf a call runs. */
export interface Principal {
  /** Identifies the party among all issuers; equal for all tokens of one party. Never shown. */
  readonly key: string;
  /** Identifier of the party, unique within its issuer. */
  readonly subject: string;
  /** URL of the authorization server that vouches for the subject; absent for the anonymous principal. */
  readonly issuer?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
  /** Identifier of the party that acts for the subject. RFC 8693 §4.1 */
  readonly actor?: string;
  /** The scopes of the credentials of this request; absent where callers do not sign in. */
  readonly scopes?: readonly string[];
}

/** The principal of every call that carries no credentials. */
export const ANONYMOUS: Principal = Object.freeze({ key: 'anonymous', subject: 'anonymous' });

/** The facts of a principal that signed in: all of {@link Principal} but its key. */
export type SignedInFacts = Omit<Principal, 'key' | 'issuer'> & { readonly issuer: string };

/** Returns the principal of a party that signed in. Its key cannot equal that of another issuer's subject or of {@link ANONYMOUS}. */
export const signedInPrincipal = (facts: SignedInFacts): Principal =>
  Object.freeze({ key: JSON.stringify([facts.issuer, facts.subject]), ...facts });

/** Returns the principal of a key, without the facts that differ by token. */
export const principalOfKey = (key: string): Principal => {
  if (key === ANONYMOUS.key) return ANONYMOUS;
  const [issuer, subject] = JSON.parse(key) as readonly [string, string];
  return signedInPrincipal({ issuer, subject });
};
