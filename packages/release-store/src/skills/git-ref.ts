const MAX_REF_CHARS = 255;

/** Matches text that a ref cannot have: control characters, lone surrogates, blanks, `~^:?*[\`, two dots, two slashes, `@{`. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\s~^:?*[\\]|\.\.|\/\/|@\{/u;
/** Matches a part of a ref that begins or ends in a forbidden way. */
const MALFORMED_PART = /^[.-]|\.$|\.lock$|^$/u;

/** Returns whether a string can be the name of a branch, tag or commit by the rules of Git. Such a name is also safe as a part of a URL. */
export const isGitRef = (ref: string): boolean =>
  ref.length <= MAX_REF_CHARS &&
  !FORBIDDEN.test(ref) &&
  !ref.split('/').some((part) => MALFORMED_PART.test(part));
