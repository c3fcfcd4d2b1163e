import { type GuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { OAuthAnswerError } from '@gateway/service-host';
import * as oauth from 'oauth4webapi';

/** Returns the options for requests with a guarded `fetch`, which decides about http itself: for loopback addresses only. */
export const createOAuthOptions = (fetch: GuardedFetch) => ({
  [oauth.customFetch]: (
    url: string,
    { body, headers, method, signal }: oauth.CustomFetchOptions<'POST', URLSearchParams | string>,
  ): Promise<Response> => fetch(url, { body, headers, method, signal: signal ?? null }),
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the name is a warning; the guard is stricter
  [oauth.allowInsecureRequests]: true,
});

/** The failure of a request to an authorization server. `reason` is one line without secrets. */
export interface OAuthFailure {
  /** The error code of the answer; absent when there was no such answer. RFC 6749 §5.2 */
  readonly error?: string;
  readonly reason: string;
}

/** Codes of RFC 6749 and its extensions; text of the server otherwise is not shown. */
const CODE = /^[a-z][a-z_]{0,63}$/;

/** Returns the failure that an exception describes. Texts of the server are not in it. */
export const toOAuthFailure = (error: unknown): OAuthFailure => {
  if (error instanceof oauth.ResponseBodyError) {
    const code = CODE.test(error.error) ? error.error : 'unknown_error';
    return { error: code, reason: `the authorization server answered ${code}` };
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return {
      error: 'invalid_client',
      reason: `the authorization server answered HTTP ${error.status}`,
    };
  if (error instanceof GuardedFetchError) return { reason: error.message };
  if (error instanceof OAuthAnswerError)
    return {
      reason: `the authorization server sent an answer that cannot be used: ${error.message}`,
    };
  if (error instanceof oauth.UnsupportedOperationError)
    return { reason: 'the authorization server issued a token whose token_type is not Bearer' };
  if (error instanceof oauth.OperationProcessingError && error.cause instanceof Response)
    return { reason: `the authorization server answered HTTP ${error.cause.status}` };
  return { reason: 'the authorization server sent an answer that cannot be used' };
};
