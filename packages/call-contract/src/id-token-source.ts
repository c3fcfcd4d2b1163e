import type { Principal } from './call-context.ts';

/** An ID token of a user, or the reason why no token is available. */
export type IdTokenOutcome =
  | {
      readonly ok: true;
      /** Secret. */
      readonly token: string;
      /** Milliseconds since the epoch. */
      readonly expiresAt: number;
    }
  | {
      readonly ok: false;
      /**
       * - `signed-out`: the user has no ID token; a sign-in to the gateway provides one.
       * - `audience-missing`: `audience` is not in the token; another sign-in requests it.
       * - `not-forwardable`: the configuration forbids forwarding tokens of the user's issuer.
       * - `unavailable`: the provider or the store does not answer.
       */
      readonly code: 'signed-out' | 'audience-missing' | 'not-forwardable' | 'unavailable';
      readonly audience?: string;
    };

/** Requirements on an ID token. */
export interface IdTokenRequirements {
  /** Each must be in the claim `aud`. */
  readonly audiences: readonly string[];
  /** A token that a server refused. The source returns a new token if possible, otherwise this token. Secret. */
  readonly refusedToken?: string;
}

/** The ID tokens that users received from the identity provider for the gateway. */
export interface IdTokenSource {
  /** Returns a valid ID token of a user with all these audiences. Never rejects. */
  idToken(principal: Principal, wanted: IdTokenRequirements): Promise<IdTokenOutcome>;
}
