import type { TokenRefusalCode } from './tokens/token-refusal.ts';

/** A person, as the provider names it. */
interface SignedInPerson {
  readonly subject: string;
  readonly issuer: string;
}

/** A client that a person allows or refuses. `client` is its identifier, which the client may have chosen. */
interface ClientOfPerson extends SignedInPerson {
  readonly client: string;
}

/** A fact about sign-ins at the gateway, for operators. It contains no secrets. */
export type CallerSignInFact =
  /** The provider signed a person in. */
  | ({ readonly code: 'signed-in' } & SignedInPerson)
  /** A person signed out of the gateway: all clients lost their access. */
  | ({ readonly code: 'signed-out' } & SignedInPerson)
  /** The provider denied or ended the sign-in, sent an answer that is not valid, or cannot be reached. */
  | {
      readonly code: 'sign-in-failed';
      readonly problem: 'denied' | 'ended' | 'invalid' | 'unavailable';
    }
  /** The provider does not answer. Reported once by a process, until the provider answers again. */
  | { readonly code: 'provider-unavailable' }
  /** A person allowed a client to act, on the consent page or earlier. */
  | ({ readonly code: 'consent-given' } & ClientOfPerson)
  | ({ readonly code: 'consent-refused' } & ClientOfPerson)
  /** A client registered itself. RFC 7591 */
  | { readonly code: 'client-registered'; readonly client: string };

/** Receives facts; must not throw. */
export type CallerSignInObserver = (fact: CallerSignInFact) => void;

/** The verification of a token that was not in memory. */
export interface TokenVerification {
  readonly durationMs: number;
  readonly outcome: 'ok' | TokenRefusalCode;
}
