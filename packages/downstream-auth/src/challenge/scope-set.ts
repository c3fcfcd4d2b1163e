const MAX_SCOPE_CHARS = 4_096;
/** RFC 6749 §3.3 */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Returns the valid scopes of texts that separate scopes by spaces, without repetition, in order. Texts of more than 4,096 characters have none. */
const scopeSet = (...texts: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(
    texts
      .filter((text) => text !== undefined && text.length <= MAX_SCOPE_CHARS)
      .flatMap((text) => text?.split(' ') ?? [])
      .filter((scope) => SCOPE.test(scope)),
  );

/** Returns the union of scopes as one text. */
export const scopeUnion = (...texts: readonly (string | undefined)[]): string =>
  [...scopeSet(...texts)].join(' ');

/** Returns the scopes of `need` that `have` does not contain, as one text. */
const scopesWithout = (have: string, need: string): string => {
  const granted = scopeSet(have);
  return [...scopeSet(need)].filter((scope) => !granted.has(scope)).join(' ');
};

/** Returns the scopes that a server required since a sign-in: those that were not requested, or all when each was. */
export const furtherScopes = (requested: string, required: string): string =>
  scopesWithout(requested, required) || scopeUnion(required);

/** Returns true when `have` contains all scopes of `need`. */
export const hasScopes = (have: string, need: string | undefined): boolean => {
  const granted = scopeSet(have);
  return [...scopeSet(need)].every((scope) => granted.has(scope));
};
