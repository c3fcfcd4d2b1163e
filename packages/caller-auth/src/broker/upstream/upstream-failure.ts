import { isJsonObject } from '@gateway/call-contract';
import { GuardedFetchError } from '@gateway/guarded-fetch';
import { OAuthAnswerError } from '@gateway/service-host';

/** Returns an error of a kind among an error and its causes: the library wraps errors. */
const findCause = <T>(error: unknown, isKind: (one: unknown) => one is T): T | undefined => {
  let current = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (isKind(current)) return current;
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
};

const isGuarded = (one: unknown): one is GuardedFetchError => one instanceof GuardedFetchError;
const isAnswerError = (one: unknown): one is OAuthAnswerError => one instanceof OAuthAnswerError;
const isResponse = (one: unknown): one is Response => one instanceof Response;

/** The library keeps metadata that states another issuer. */
const isMetadata = (one: unknown): one is { readonly body: { readonly issuer: string } } =>
  isJsonObject(one) && isJsonObject(one['body']) && typeof one['body']['issuer'] === 'string';

/** Returns the code of the guarded request that failed. */
export const fetchCodeOf = (error: unknown): GuardedFetchError['code'] | undefined =>
  findCause(error, isGuarded)?.code;

/** Returns whether the provider answered with a status of 500 or higher and without the JSON of an error; the library keeps the answer. */
export const isServerError = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Response && error.cause.status >= 500;

/** Returns the code of a failure: of the guarded request, or of the library; for an answer that cannot be read, what is wrong with it. */
export const codeOf = (error: unknown): string => {
  const code = fetchCodeOf(error) ?? findCause(error, isAnswerError)?.message;
  if (code !== undefined) return code;
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'failed';
};

/** The metadata states another issuer than that of its address. */
const MISMATCH = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '');

const mismatchText = (error: unknown, issuer: string): string => {
  const named = findCause(error, isMetadata)?.body.issuer;
  return named !== undefined && withoutSlash(named) === withoutSlash(issuer)
    ? `its metadata names the issuer ${named}: the slash at the end differs; set auth.broker.upstream.issuer to ${named}`
    : 'its metadata names another issuer; copy auth.broker.upstream.issuer from there';
};

/** Returns why the metadata of an issuer cannot be used, with the remedy where there is one. */
export const metadataProblemOf = (error: unknown, issuer: string): string => {
  const guarded = findCause(error, isGuarded);
  if (guarded !== undefined) return guarded.message;
  if (codeOf(error) === MISMATCH) return mismatchText(error, issuer);
  const response = findCause(error, isResponse);
  const problem = response === undefined ? codeOf(error) : `HTTP ${response.status}`;
  return `its metadata is not valid (${problem})`;
};
