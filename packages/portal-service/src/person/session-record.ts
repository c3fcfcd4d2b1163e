/** The tokens of a person, and who the person is. */
export interface SignedInSession {
  readonly subject: string;
  readonly name: string;
  /** Authorizes requests to the gateway and to agent-manager. */
  readonly token: string;
  readonly refreshToken?: string;
  /** For the end of the session at the provider. */
  readonly idToken?: string;
  /** Milliseconds since the epoch; the token is replaced before. */
  readonly expiresAt: number;
}

/** A sign-in that waits for its callback. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The address of the portal that the person came from. */
  readonly returnTo: string;
}
