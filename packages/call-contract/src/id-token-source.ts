import type { Principal } from './call-context.ts';

/** An ID token of a user, or the reason why there is none. */
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
       * - `not-forwardable`: the tokens of the user's issuer must not leave the gateway; the configuration decides it.
       * - `unavailable`: the provider or the store does not answer.
       */
      readonly code: 'signed-out' | 'audience-missing' | 'not-forwardable' | 'unavailable';
      readonly audience?: string;
    };

/** Requirements on an ID token. */
export interface WantedIdToken {
  /** Each must be in the claim `aud`. */
  readonly audiences: readonly string[];
  /** A token that a server refused. The source returns another token if it can obtain one, and else the same. Secret. */
  readonly refusedToken?: string;
}

/** The ID tokens that users received from the identity provider for the gateway. */
export interface IdTokenSource {
  /** Returns a valid ID token of a user with all these audiences. Never rejects. */
  idToken(principal: Principal, wanted: WantedIdToken): Promise<IdTokenOutcome>;
}
