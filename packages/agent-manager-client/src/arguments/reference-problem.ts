import {
  MAX_GIT_REF_CHARS,
  MAX_ICON_CHARS,
  MAX_NAME_CHARS,
  MAX_PATH_CHARS,
  MAX_URL_CHARS,
} from '../limits.ts';
import { validateObjectName } from '../names/validate-names.ts';
import type { OperationInput } from '../operations/operations.ts';
import { formatQuotedName } from '../refusals/refusal.ts';

/** The start of the address of a Git repository: `https://`, `ssh://` or the user of `user@host:path`. */
export const GIT_URL_START = /^(https:\/\/|ssh:\/\/|[A-Za-z0-9_][-A-Za-z0-9_.]*@)/u;

const USER = '[A-Za-z0-9_][-A-Za-z0-9_.]*';
/** ASCII only: a host with other letters is written in Punycode. */
const HOST = '(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?\\.?|\\[[0-9A-Fa-f:.]{2,45}\\])';
const PORT = '(?::[0-9]{1,5})?';
const URL_FORM = new RegExp(`^(?:https://|ssh://(?:${USER}@)?)${HOST}${PORT}/(.+)$`, 'u');
const SHORT_FORM = new RegExp(`^${USER}@${HOST}:/?([^-].*)$`, 'u');

const PATH_CHARACTERS = /^[-A-Za-z0-9_.~!$&'()*+,;=:@%/]+$/u;
/** Matches an invalid percent-encoding, and an encoded control character, ".", "/" or "\\". */
const FORBIDDEN_ENCODING = /%(?![2-9A-Fa-f][0-9A-Fa-f])|%(?:2[EFef]|5[Cc]|7[Ff])/u;

/** Returns whether no segment of a path is empty, "." or "..". A slash at the end is permitted. */
const isCanonical = (path: string): boolean =>
  !path
    .replace(/\/$/u, '')
    .split('/')
    .some((segment) => segment === '' || segment === '.' || segment === '..');

/** Returns whether a URL is a valid HTTPS or SSH address of a Git repository, without a password. */
const isGitUrl = (url: string): boolean => {
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
const SKILL_NAME_PATTERN = /^[A-Za-z0-9_][-A-Za-z0-9_.]*$/u;

/** The syntax of the reference of an image: `registry/name:tag` or `registry/name@digest`. */
const IMAGE_REF_PATTERN = /^(oci:\/\/)?[A-Za-z0-9][-A-Za-z0-9_./:@+]*$/u;

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
const isFolderPath = (path: string): boolean =>
  path.length <= MAX_PATH_CHARS &&
  !FORBIDDEN_IN_PATH.test(path) &&
  !path.startsWith('-') &&
  isCanonical(path);

/**
 * The start of an icon URL: `https://`, or a `data:` URL of a raster image. An SVG in a `data:` URL may contain scripts.
 */
export const ICON_URL_START = /^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/u;
const URL_REST = "(?:[/?#][-A-Za-z0-9_.~!$&'()*+,;=:@%/?#]*)?";
const WEB_ADDRESS = new RegExp(`^https://${HOST}(?::[0-9]{1,5})?${URL_REST}$`, 'u');
const BASE64 = /^[^,]*,[A-Za-z0-9+/]+=?=?$/u;

const isIconUrl = (url: string): boolean =>
  ICON_URL_START.test(url) && (url.startsWith('data:') ? BASE64 : WEB_ADDRESS).test(url);

const ICON_URL_RULE =
  'must be an https:// URL without user and password, or a data: URL of a PNG, JPEG, GIF or WebP image in base64';

/**
 * Returns why the address of an icon is refused, or `undefined`. The empty text removes the icon. The address is not repeated, because it
 * may contain a password.
 *
 * @spec §4.4
 */
export const validateIconUrl = (iconUrl: string | undefined): string | undefined => {
  if (iconUrl === undefined || iconUrl.trim() === '') return undefined;
  const max = iconUrl.startsWith('data:') ? MAX_ICON_CHARS : MAX_URL_CHARS;
  if (iconUrl.length > max) return `iconUrl is longer than ${max} characters`;
  return isIconUrl(iconUrl) ? undefined : `iconUrl ${ICON_URL_RULE}`;
};

type Skills = OperationInput<'update_agent'>['skills'];
type GitRef = NonNullable<NonNullable<Skills>['gitRefs']>[number];

const isBlank = (text: string | undefined): text is undefined | '' =>
  text === undefined || text.trim() === '';

/** The address is not repeated, because it may contain a password. */
const validateGitUrl = (url: string): string | undefined => {
  if (isBlank(url)) return ' is required';
  return isGitUrl(url)
    ? undefined
    : ' must be an https:// or ssh:// URL, or user@host:path, without a password, query and fragment';
};

/** The optional fields; the empty text is the same as none. */
const FIELDS: Readonly<
  Record<'path' | 'ref' | 'name', (text: string) => readonly [isValid: boolean, must: string]>
> = {
  path: (text) => [
    isFolderPath(text),
    'must be a folder of the repository: a relative path without ".." that does not start with "-"',
  ],
  ref: (text) => [isGitRef(text), 'is not the name of a branch, a tag or a commit'],
  name: (text) => [
    text.length <= MAX_NAME_CHARS && SKILL_NAME_PATTERN.test(text),
    `must be at most ${MAX_NAME_CHARS} letters, digits, "-", "_" and ".", and start with a letter, a digit or "_"`,
  ],
};

const validateGitField = (gitRef: GitRef, field: keyof typeof FIELDS): string | undefined => {
  const text = gitRef[field];
  if (isBlank(text)) return undefined;
  const [isValid, must] = FIELDS[field](text);
  return isValid ? undefined : `.${field} ${formatQuotedName(text)} ${must}`;
};

const validateGitRef = (gitRef: GitRef): string | undefined => {
  const url = validateGitUrl(gitRef.url);
  return url === undefined
    ? (validateGitField(gitRef, 'path') ??
        validateGitField(gitRef, 'ref') ??
        validateGitField(gitRef, 'name'))
    : `.url${url}`;
};

const validateImageRef = (ref: string): string | undefined =>
  isBlank(ref) ||
  (ref.length <= MAX_URL_CHARS && IMAGE_REF_PATTERN.test(ref) && !ref.includes('..'))
    ? undefined
    : ' must be the reference of an image, as registry/name:tag';

const findFirstProblem = <T>(
  list: readonly T[] | undefined,
  problemOf: (item: T) => string | undefined,
): string | undefined => {
  for (const [index, item] of (list ?? []).entries()) {
    const problem = problemOf(item);
    if (problem !== undefined) return `[${index}]${problem}`;
  }
  return undefined;
};

/**
 * Returns why skills are refused, or `undefined`. The address of a Git repository is an `https://` or `ssh://` URL or `user@host:path`; its
 * folder, ref and name, and the references of images, cannot be taken for options or lead out of a folder.
 *
 * @spec §4.4
 */
export const validateSkills = (skills: Skills): string | undefined => {
  const image = findFirstProblem(skills?.refs, validateImageRef);
  if (image !== undefined) return `skills.refs${image}`;
  const git = findFirstProblem(skills?.gitRefs, validateGitRef);
  if (git !== undefined) return `skills.gitRefs${git}`;
  return validateObjectName('skills.gitAuthSecretName', skills?.gitAuthSecretName);
};
