import { GuardedFetchError } from '@gateway/guarded-fetch';

/** Returns the guarded request that failed; the library wraps it. */
const guardedErrorOf = (error: unknown): GuardedFetchError | undefined => {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof GuardedFetchError) return current;
    current = current.cause;
  }
  return undefined;
};

/** Returns the code of the guarded request that failed. */
export const fetchCodeOf = (error: unknown): GuardedFetchError['code'] | undefined =>
  guardedErrorOf(error)?.code;

/** Returns whether the provider answered with a status of 500 or higher and without the JSON of an error; the library keeps the answer. */
export const isServerError = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Response && error.cause.status >= 500;

/** Returns the code of a failure: of the guarded request, or of the library. */
export const codeOf = (error: unknown): string => {
  const code = fetchCodeOf(error);
  if (code !== undefined) return code;
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'failed';
};

/** The metadata states another issuer than that of its address. */
const MISMATCH = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Returns why the metadata cannot be used, with the remedy where there is one. */
export const metadataProblemOf = (error: unknown): string => {
  const guarded = guardedErrorOf(error);
  if (guarded !== undefined) return guarded.message;
  const code = codeOf(error);
  return code === MISMATCH
    ? 'its metadata names another issuer; copy auth.broker.upstream.issuer from there'
    : `its metadata is not valid (${code})`;
};
