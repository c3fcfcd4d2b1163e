import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  ADMIN_SCOPE,
  formatScopeRefusal,
  type GatewayScope,
  type IdTokenSource,
  type Principal,
  READ_SCOPE,
} from '@gateway/call-contract';

/** Returns whether the credentials of a user permit anything at all. */
export const mayRead = ({ scopes = [] }: Principal): boolean =>
  scopes.includes(READ_SCOPE) || scopes.includes(ADMIN_SCOPE);

/** Why a request with or without a token is refused. Bounded, and without any part of the token: it is a label of metrics. */
export type TokenRefusalCode =
  /** The request carries no token. */
  | 'missing'
  /** More than one `Authorization` header, or a token in the URL. */
  | 'ambiguous'
  | 'malformed'
  | 'too-large'
  | 'unknown-issuer'
  | 'wrong-type'
  | 'wrong-algorithm'
  | 'wrong-signature'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-audience'
  | 'wrong-claims'
  /** The issuer states that the token is not active. */
  | 'inactive'
  /** The token may be used only by the holder of a key. */
  | 'sender-constrained'
  /** The token does not permit anything here. */
  | 'insufficient-scope'
  /** The issuer does not answer, or too many tokens are being verified. */
  | 'unavailable';

/** The answer to a refused request. RFC 6750 §3 */
interface TokenRefusalAnswer {
  readonly status: 400 | 401 | 403 | 503;
  /** The parameter `error` of the challenge; absent: the challenge has none, or there is no challenge (503). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly sentence: string;
}

const createInvalidAnswer = (sentence: string): TokenRefusalAnswer => ({
  status: 401,
  error: 'invalid_token',
  sentence: `The access token is refused: ${sentence}; sign in again`,
});

const ANSWERS: Readonly<Record<TokenRefusalCode, TokenRefusalAnswer>> = {
  missing: { status: 401, sentence: 'Sign in first: the request carries no access token' },
  ambiguous: {
    status: 400,
    error: 'invalid_request',
    sentence: 'Send one access token, in one Authorization header and not in the URL',
  },
  malformed: createInvalidAnswer('it cannot be read'),
  'too-large': createInvalidAnswer('it is too large'),
  'unknown-issuer': createInvalidAnswer('its issuer is not trusted here'),
  'wrong-type': createInvalidAnswer('its type is not accepted here'),
  'wrong-algorithm': createInvalidAnswer('its algorithm is not accepted here'),
  'wrong-signature': createInvalidAnswer('its signature does not match'),
  expired: createInvalidAnswer('it has expired'),
  'not-yet-valid': createInvalidAnswer('it is not valid yet'),
  'wrong-audience': createInvalidAnswer('it was issued for another service'),
  'wrong-claims': createInvalidAnswer('its claims are not accepted here'),
  inactive: createInvalidAnswer('its issuer no longer accepts it'),
  'sender-constrained': createInvalidAnswer('it is bound to a key, which is not supported here'),
  'insufficient-scope': {
    status: 403,
    error: 'insufficient_scope',
    sentence: formatScopeRefusal('The access token lacks', READ_SCOPE),
  },
  unavailable: {
    status: 503,
    sentence:
      'The access token cannot be verified now because its issuer does not answer; retry later',
  },
};

/** Returns the answer to a request that is refused. */
export const findRefusalAnswer = (code: TokenRefusalCode): TokenRefusalAnswer => ANSWERS[code];

/** A valid token. */
interface VerifiedToken {
  readonly ok: true;
  /** The user, with the scopes that the token grants at the gateway. */
  readonly principal: Principal;
  /** Time from which the token is refused, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Time until which this result may be reused, in milliseconds since the epoch; default: `expiresAt`. */
  readonly reusableUntil?: number;
}

/** The result of verifying a token. */
export type TokenOutcome = VerifiedToken | { readonly ok: false; readonly code: TokenRefusalCode };

/** Verifies bearer tokens of one kind. */
export interface TokenVerifier {
  /** Verifies a token: at most 16 KiB of the characters that RFC 6750 §2.1 permits. Never rejects. */
  verify(token: string): Promise<TokenOutcome>;
}

/** A user, as the provider names it. */
interface SignedInUser {
  readonly subject: string;
  readonly issuer: string;
}

/** A client that a user allows or refuses. `client` is its identifier, which the client may have chosen. */
interface UserClient extends SignedInUser {
  readonly client: string;
}

/** A fact about sign-ins at the gateway, for operators. It contains no secrets. */
export type CallerSignInFact =
  /** The provider signed a user in. */
  | ({ readonly code: 'signed-in' } & SignedInUser)
  /** A user signed out of the gateway: all clients lost their access. */
  | ({ readonly code: 'signed-out' } & SignedInUser)
  /** The provider denied or ended the sign-in, sent an answer that is not valid, or cannot be reached. */
  | {
      readonly code: 'sign-in-failed';
      readonly problem: 'denied' | 'ended' | 'invalid' | 'unavailable';
    }
  /** The provider does not answer. Reported once by a process, until the provider answers again. */
  | { readonly code: 'provider-unavailable' }
  /** A user allowed a client to act, on the consent page or earlier. */
  | ({ readonly code: 'consent-given' } & UserClient)
  | ({ readonly code: 'consent-refused' } & UserClient)
  /** A client registered itself. RFC 7591 */
  | { readonly code: 'client-registered'; readonly client: string };

/** Receives facts; must not throw. */
export type CallerSignInObserver = (fact: CallerSignInFact) => void;

/** The verification of a token that was not in memory. */
export interface TokenVerification {
  readonly durationMs: number;
  readonly outcome: 'ok' | TokenRefusalCode;
}

/** The user that a browser is signed in as: the expected one, another one, or none; without one, it signs in at `signInUrl`. */
export type BrowserUser =
  | { readonly kind: 'same' }
  | { readonly kind: 'other' }
  | { readonly kind: 'signed-out'; readonly signInUrl: string };

/**
 * Returns the user that the browser of a request is signed in as. The URL for a sign-in leads back with `state`, and with `code` or `error`. Rejects
 * when the state of sign-ins cannot be read.
 */
export type BrowserCheck = (
  request: IncomingMessage,
  response: ServerResponse,
  wanted: { readonly principalKey: string; readonly state: string },
) => Promise<BrowserUser>;

/** The verifier and the endpoints of one mode. */
export interface AuthBackend {
  readonly verifier: TokenVerifier;
  readonly idTokens: IdTokenSource;
  readonly authorizationServers: readonly string[];
  /** The scopes that tokens need; a scope that no issuer grants is not among them. */
  readonly scopes: readonly GatewayScope[];
  readonly routes?: Readonly<Record<string, RequestListener>>;
  /** The paths of `routes` whose requests store state before a user has signed in. */
  readonly startPaths?: readonly string[];
  readonly prefixes?: Readonly<Record<string, RequestListener>>;
  /** Absent where browsers do not sign in to the gateway. */
  readonly browserUser?: BrowserCheck;
  readonly close?: () => Promise<void>;
}
