/** Why a sign-in of a person to a server failed: the error page of the browser, or the step before the browser. */
export type SignInProblem =
  /** The person or the authorization server refused. */
  | 'denied'
  /** The answer of the authorization server has no code. */
  | 'incomplete'
  /** The answer is for another browser, another person, or not from the authorization server of the server. */
  | 'invalid'
  /** The code could not be exchanged for tokens. */
  | 'failed'
  /** The server names no authorization server. */
  | 'no-metadata'
  /** The gateway is not a client of the authorization server, and cannot become one. */
  | 'no-client';

/** Facts of each code. They contain no secrets and no text of a peer: error codes are those of the standards. */
interface Facts {
  /** A person signed in: in a browser, or with the sign-in to another server of the issuer. */
  readonly 'signed-in': { readonly principalKey: string };
  readonly 'signed-out': { readonly principalKey: string };
  readonly 'sign-in-failed': { readonly principalKey: string; readonly problem: SignInProblem };
  readonly refreshed: object;
  /** The authorization server does not renew a token: the person must sign in again. */
  readonly 'refresh-refused': { readonly error: string };
  /** The server requires further scopes: the person must sign in again. */
  readonly 'scopes-required': object;
  /** The authorization server cannot be reached, or its answer cannot be used. */
  readonly 'provider-unavailable': { readonly during: 'sign-in' | 'refresh' };
  /** The ID token of a person cannot be forwarded, or the server refuses it. */
  readonly 'forwarding-failed': { readonly problem: string };
  readonly exchanged: object;
  readonly 'exchange-failed': { readonly problem: string };
}

/** A fact about the sign-in of persons to a server, for operators. */
export type ServerSignInFact = {
  readonly [C in keyof Facts]: { readonly code: C; readonly server: string } & Facts[C];
}[keyof Facts];

/** Receives facts; must not throw. */
export type ServerSignInObserver = (fact: ServerSignInFact) => void;

/** Error codes of token endpoints. RFC 6749 §5.2, RFC 8693 §2.2.2, RFC 8707 §2 */
const ERROR_CODES: ReadonlySet<string> = new Set([
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope', 'invalid_target'],
  ...['unauthorized_client', 'unsupported_grant_type', 'access_denied'],
  ...['server_error', 'temporarily_unavailable'],
]);

/** Returns an error code of a standard, and `unknown_error` for any other text: a peer chooses neither labels nor texts. */
export const knownErrorCode = (error: string | undefined): string =>
  error !== undefined && ERROR_CODES.has(error) ? error : 'unknown_error';
