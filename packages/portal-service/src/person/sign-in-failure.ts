import * as client from 'openid-client';

/** The browser that comes back has started no sign-in that still waits. */
export class NoPendingSignIn extends Error {}

/** Codes of RFC 6749 §4.1.2.1 and §5.2 and of OpenID Connect Core §3.1.2.6. Others are not logged: anybody can send a browser to the callback. */
const KNOWN_CODES: ReadonlySet<string> = new Set([
  ...['access_denied', 'consent_required', 'interaction_required', 'invalid_client'],
  ...['invalid_grant', 'invalid_request', 'invalid_scope', 'invalid_target', 'login_required'],
  ...['server_error', 'temporarily_unavailable', 'unauthorized_client'],
  ...['unsupported_grant_type', 'unsupported_response_type'],
]);

const refusalOf = (code: string): string =>
  `the provider refused it with ${KNOWN_CODES.has(code) ? code : 'an unknown code'}`;

/** Codes of the library are constants, as `OAUTH_JWT_CLAIM_COMPARISON_FAILED`. */
const LIBRARY_CODE = /^OAUTH_[A-Z_]{1,64}$/u;

/** Returns why a sign-in failed as a part of a sentence, without any value of the sign-in. */
export const causeOfFailure = (error: unknown): string => {
  if (error instanceof NoPendingSignIn)
    return 'no sign-in of this browser waits for the answer: it took too long, or its cookie is missing';
  if (error instanceof client.AuthorizationResponseError) return refusalOf(error.error);
  if (error instanceof client.ResponseBodyError) return refusalOf(error.error);
  if (error instanceof client.ClientError && LIBRARY_CODE.test(error.code ?? ''))
    return `the answer of the provider is not valid (${error.code})`;
  return 'the provider or the store of the sessions did not answer';
};
