import { MAX_NAME_CHARS, MAX_URL_CHARS } from '../limits.ts';
import type { OperationInput } from '../operations/operations.ts';
import { objectNameProblem } from '../names/name-problem.ts';
import { formatShown } from '../refusals/shown.ts';
import {
  IMAGE_REF_PATTERN,
  isFolderPath,
  isGitRef,
  isGitUrl,
  SKILL_NAME_PATTERN,
} from './git-reference.ts';

type Skills = OperationInput<'update_agent'>['skills'];
type GitRef = NonNullable<NonNullable<Skills>['gitRefs']>[number];

const isBlank = (text: string | undefined): text is undefined | '' =>
  text === undefined || text.trim() === '';

/** The address is not repeated, because it may contain a password. */
const urlProblem = (url: string): string | undefined => {
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

const fieldProblem = (gitRef: GitRef, field: keyof typeof FIELDS): string | undefined => {
  const text = gitRef[field];
  if (isBlank(text)) return undefined;
  const [isValid, must] = FIELDS[field](text);
  return isValid ? undefined : `.${field} ${formatShown(text)} ${must}`;
};

const gitRefProblem = (gitRef: GitRef): string | undefined => {
  const url = urlProblem(gitRef.url);
  return url === undefined
    ? (fieldProblem(gitRef, 'path') ?? fieldProblem(gitRef, 'ref') ?? fieldProblem(gitRef, 'name'))
    : `.url${url}`;
};

const imageProblem = (ref: string): string | undefined =>
  isBlank(ref) ||
  (ref.length <= MAX_URL_CHARS && IMAGE_REF_PATTERN.test(ref) && !ref.includes('..'))
    ? undefined
    : ' must be the reference of an image, as registry/name:tag';

const firstOf = <T>(
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
export const skillsProblem = (skills: Skills): string | undefined => {
  const image = firstOf(skills?.refs, imageProblem);
  if (image !== undefined) return `skills.refs${image}`;
  const git = firstOf(skills?.gitRefs, gitRefProblem);
  if (git !== undefined) return `skills.gitRefs${git}`;
  return objectNameProblem('skills.gitAuthSecretName', skills?.gitAuthSecretName);
};
