/** The authenticated party on whose behalf a call runs. */
export interface Principal {
  /** Identifier of the party, unique within its issuer. */
  readonly subject: string;
  /** URL of the authorization server that vouches for the subject; absent for the anonymous principal. */
  readonly issuer?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

/** The principal of every call that carries no credentials. */
export const ANONYMOUS: Principal = Object.freeze({ subject: 'anonymous' });
