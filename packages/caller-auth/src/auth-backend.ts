import type { IncomingMessage, ServerResponse, RequestListener } from 'node:http';
import type { IdTokenSource } from '@gateway/call-contract';
import type { GatewayScope, TokenRefusalCode, TokenVerifier } from './tokens/token-verifier.ts';

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

/** The person that a browser is signed in as: the expected one, another one, or none; without one, it signs in at `signInUrl`. */
export type BrowserPerson =
  | { readonly kind: 'same' }
  | { readonly kind: 'other' }
  | { readonly kind: 'signed-out'; readonly signInUrl: string };

/**
 * Returns the person that the browser of a request is signed in as. The URL for a sign-in leads back with `state`, and with `code` or `error`. Rejects
 * when the state of sign-ins cannot be read.
 */
export type BrowserCheck = (
  request: IncomingMessage,
  response: ServerResponse,
  wanted: { readonly principalKey: string; readonly state: string },
) => Promise<BrowserPerson>;

/** The verifier and the endpoints of one mode. */
export interface AuthBackend {
  readonly verifier: TokenVerifier;
  readonly idTokens: IdTokenSource;
  readonly authorizationServers: readonly string[];
  /** The scopes that tokens need; a scope that no issuer grants is not among them. */
  readonly scopes: readonly GatewayScope[];
  readonly routes?: Readonly<Record<string, RequestListener>>;
  /** Those of `routes` whose requests store state before a person has signed in. */
  readonly startPaths?: readonly string[];
  readonly prefixes?: Readonly<Record<string, RequestListener>>;
  /** Absent where browsers do not sign in to the gateway. */
  readonly browserPerson?: BrowserCheck;
  readonly close?: () => Promise<void>;
}
