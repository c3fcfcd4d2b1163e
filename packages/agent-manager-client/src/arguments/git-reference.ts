import { MAX_GIT_REF_CHARS, MAX_PATH_CHARS, MAX_URL_CHARS } from '../limits.ts';

/** The start of the address of a Git repository: `https://`, `ssh://` or the user of `user@host:path`. */
export const GIT_URL_START = /^(https:\/\/|ssh:\/\/|[A-Za-z0-9_][-A-Za-z0-9_.]*@)/u;

const USER = '[A-Za-z0-9_][-A-Za-z0-9_.]*';
/** ASCII only: a host with other letters is written in Punycode. */
const HOST = '(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?\\.?|\\[[0-9A-Fa-f:.]{2,45}\\])';
const PORT = '(?::[0-9]{1,5})?';
const URL_FORM = new RegExp(`^(?:https://|ssh://(?:${USER}@)?)${HOST}${PORT}/(.+)$`, 'u');
const SHORT_FORM = new RegExp(`^${USER}@${HOST}:/?([^-].*)$`, 'u');

const PATH_CHARACTERS = /^[-A-Za-z0-9_.~!$&'()*+,;=:@%/]+$/u;
/** Matches an invalid percent-encoding, and that of a control character, ".", "/" and "\\". */
const FORBIDDEN_ENCODING = /%(?![2-9A-Fa-f][0-9A-Fa-f])|%(?:2[EFef]|5[Cc]|7[Ff])/u;

/** Returns whether no segment of a path is empty, "." or "..". A slash at the end is permitted. */
const isCanonical = (path: string): boolean =>
  !path
    .replace(/\/$/u, '')
    .split('/')
    .some((segment) => segment === '' || segment === '.' || segment === '..');

/** Returns whether an address can be that of a Git repository, reached over HTTPS or SSH and without a password. */
export const isGitUrl = (url: string): boolean => {
  if (url.length > MAX_URL_CHARS) return false;
  const path = (URL_FORM.exec(url) ?? SHORT_FORM.exec(url))?.[1];
  return (
    path !== undefined &&
    PATH_CHARACTERS.test(path) &&
    !FORBIDDEN_ENCODING.test(path) &&
    isCanonical(path)
  );
};

/** The syntax of the name of a skill, which is the name of its folder in the agent. */
export const SKILL_NAME_PATTERN = /^[A-Za-z0-9_][-A-Za-z0-9_.]*$/u;

/** The syntax of the reference of an image: `registry/name:tag` or `registry/name@digest`. */
export const IMAGE_REF_PATTERN = /^(oci:\/\/)?[A-Za-z0-9][-A-Za-z0-9_./:@+]*$/u;

/** Matches text that a ref cannot have: control characters, lone surrogates, blanks, `~^:?*[\`, two dots, two slashes, `@{`. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\s~^:?*[\\]|\.\.|\/\/|@\{/u;
/** Matches a part of a ref that begins or ends in a forbidden way. */
const MALFORMED_PART = /^[.-]|\.$|\.lock$|^$/u;

/** Returns whether a string can be the name of a branch, tag or commit by the rules of Git. Such a name is also safe as a part of a URL. */
export const isGitRef = (ref: string): boolean =>
  ref.length <= MAX_GIT_REF_CHARS &&
  !FORBIDDEN.test(ref) &&
  !ref.split('/').some((part) => MALFORMED_PART.test(part));

/** Matches text that a folder cannot have: control characters, format characters, lone surrogates and backslashes. */
const FORBIDDEN_IN_PATH = /[\p{Cc}\p{Cf}\p{Cs}\\]/u;

/** Returns whether a path leads to a folder of a repository: relative, without "." and ".." segments, not an option of a command. */
export const isFolderPath = (path: string): boolean =>
  path.length <= MAX_PATH_CHARS &&
  !FORBIDDEN_IN_PATH.test(path) &&
  !path.startsWith('-') &&
  isCanonical(path);
