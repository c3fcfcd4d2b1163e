import type { IncomingMessage, ServerResponse } from 'node:http';

interface OpenedSignIn {
  /** Key of the principal that asked for the link. */
  readonly principalKey: string;
  /** Value of `state`, which a browser brings back to the start path after it signed in to the gateway. */
  readonly state: string;
}

/** The user of a browser: the one who asked for the link, another one, or none, who signs in at `signInUrl`, which leads back to the start path. */
type BrowserUser =
  | { readonly kind: 'same' }
  | { readonly kind: 'other' }
  | { readonly kind: 'signed-out'; readonly signInUrl: string };

/** `undefined` where browsers do not sign in to the gateway. Rejects with failures of the store. */
export type SignInCheck = (
  request: IncomingMessage,
  response: ServerResponse,
  signIn: OpenedSignIn,
) => Promise<BrowserUser | undefined>;

/** Why a sign-in of a user to a server failed: the error page of the browser, or the step before the browser. */
type SignInProblem =
  /** The user or the authorization server refused. */
  | 'denied'
  /** The answer of the authorization server has no code. */
  | 'incomplete'
  /** The answer is for another browser, another user, or not from the authorization server of the server. */
  | 'invalid'
  /** The code could not be exchanged for tokens. */
  | 'failed'
  /** The server names no authorization server. */
  | 'no-metadata'
  /** The gateway is not a client of the authorization server, and cannot become one. */
  | 'no-client';

/** Facts of each code. They contain no secrets and no text of a peer: error codes are those of the standards. */
interface Facts {
  /** A user signed in: in a browser, or with the sign-in to another server of the issuer. */
  readonly 'signed-in': { readonly principalKey: string };
  readonly 'signed-out': { readonly principalKey: string };
  readonly 'sign-in-failed': { readonly principalKey: string; readonly problem: SignInProblem };
  readonly refreshed: object;
  /** The authorization server does not renew a token: the user must sign in again. */
  readonly 'refresh-refused': { readonly error: string };
  /** The server requires further scopes: the user must sign in again. */
  readonly 'scopes-required': object;
  /** The authorization server cannot be reached, or its answer cannot be used. */
  readonly 'provider-unavailable': { readonly during: 'sign-in' | 'refresh' };
  /** The ID token of a user cannot be forwarded, or the server refuses it. */
  readonly 'forwarding-failed': { readonly problem: string };
  readonly exchanged: object;
  readonly 'exchange-failed': { readonly problem: string };
}

export type ServerSignInFact = {
  readonly [C in keyof Facts]: { readonly code: C; readonly server: string } & Facts[C];
}[keyof Facts];

/** Receives facts; must not throw. */
export type ServerSignInObserver = (fact: ServerSignInFact) => void;

/** Error codes of token endpoints. RFC 6749 §5.2, RFC 8693 §2.2.2, RFC 8707 §2 */
const ERROR_CODES: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
]);

/** Returns an error code of a standard, and `unknown_error` for any other text: a peer chooses neither labels nor texts. */
export const toErrorCode = (error: string | undefined): string =>
  error !== undefined && ERROR_CODES.has(error) ? error : 'unknown_error';

/** The part of a structured logger that sign-in writes to. Facts and texts contain no secrets. */
export interface SignInLog {
  readonly info: (facts: object, text: string) => void;
  readonly warn: (facts: object, text: string) => void;
}

/** The result of a request to sign in to a server. Texts for people are made by the caller. */
export type SignInOutcome =
  /** The user has a token for the server, perhaps from the sign-in to another server of the issuer. The caller connects. */
  | { readonly code: 'signed-in' }
  /** The server is used without a user's credential. */
  | { readonly code: 'not-required' }
  /** The server uses the sign-in to the gateway. */
  | { readonly code: 'sso' }
  /** The gateway has no URL for browsers. */
  | { readonly code: 'not-configured' }
  /** The user opens `url`, which is valid for 10 minutes and one sign-in. `reason` is one line. */
  | { readonly code: 'challenge'; readonly url: string; readonly reason: string }
  /** The server names no authorization server. `problem` is what its metadata has instead. */
  | { readonly code: 'metadata-missing'; readonly problem?: string }
  /** Sign-in is not possible. `reason` is one sentence without secrets. */
  | { readonly code: 'failed'; readonly reason: string };

export type SignOutOutcome =
  | { readonly code: 'signed-out' }
  | { readonly code: 'not-signed-in' }
  | { readonly code: 'not-required' }
  | { readonly code: 'sso' }
  | { readonly code: 'failed'; readonly reason: string };

export interface ServerSignIn {
  readonly server: string;
  /** `oauth`: the user signs in to the server; `sso`: the sign-in to the gateway counts. */
  readonly kind: 'oauth' | 'sso';
  readonly status: 'signed-in' | 'sign-in-required' | 'sign-in-again' | 'unavailable';
  readonly issuer?: string;
  readonly scope?: string;
  /** One line without secrets. */
  readonly reason?: string;
  readonly tokenForwarding?: boolean;
  readonly tokenExchange?: boolean;
}
