const MAX_REF_CHARS = 255;

/** Matches text that a ref cannot have: control characters, lone surrogates, blanks, `~^:?*[\`, two dots, two slashes, `@{`. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\s~^:?*[\\]|\.\.|\/\/|@\{/u;
/** How no part of a ref begins or ends. */
const MALFORMED_PART = /^[.-]|\.$|\.lock$|^$/u;

/** Whether this can be the name of a branch, a tag or a commit, by Git's rules. It is also safe as one part of an address. */
export const isGitRef = (ref: string): boolean =>
  ref.length <= MAX_REF_CHARS &&
  !FORBIDDEN.test(ref) &&
  !ref.split('/').some((part) => MALFORMED_PART.test(part));
