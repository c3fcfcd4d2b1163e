import type { Principal } from '@gateway/call-contract';

/** An ID token of a person, or the reason why there is none. */
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
       * - `signed-out`: the person has no ID token; a sign-in to the gateway provides one.
       * - `audience-missing`: `audience` is not in the token; another sign-in requests it.
       * - `unavailable`: the provider or the store does not answer.
       */
      readonly code: 'signed-out' | 'audience-missing' | 'unavailable';
      readonly audience?: string;
    };

/** The ID tokens that persons received from the identity provider for the gateway. */
export interface IdTokenSource {
  /** Returns a valid ID token of a person with all these audiences. Never rejects. */
  idToken(
    principal: Principal,
    wanted: { readonly audiences: readonly string[] },
  ): Promise<IdTokenOutcome>;
}
