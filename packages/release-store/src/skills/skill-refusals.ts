import { refusal, type Refusal } from '@gateway/agent-manager-client';
import { MAX_SKILLS, type RepositoryFailure } from './repository-skills.ts';

/** The most characters that a refusal repeats of what a caller says. */
const MAX_SHOWN_CHARS = 256;

const shown = (text: string): string =>
  JSON.stringify(text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}…`);

const SENTENCES: Readonly<Record<Exclude<RepositoryFailure['kind'], 'noRef' | 'status'>, string>> =
  {
    limited: 'the Git host takes no more requests for now',
    moved: 'the Git host says that it has moved',
    late: 'the Git host did not answer in time',
    unreachable: 'the Git host cannot be reached',
    tooLarge: 'the Git host answered more than is read',
    unreadable: 'the Git host answered something else',
    tooManyFiles: 'it has more files than the Git host lists',
    tooManySkills: `it has more than ${MAX_SKILLS} skills`,
  };

const sentence = (failure: Exclude<RepositoryFailure, { kind: 'noRef' }>): string =>
  failure.kind === 'status' ? `the Git host answered ${failure.status}` : SENTENCES[failure.kind];

/** Why the skills of a repository are not told. What the host said is not repeated. */
export const skillsRefused = (
  repository: string,
  ref: string | undefined,
  failure: RepositoryFailure,
): Refusal =>
  failure.kind === 'noRef'
    ? refusal('not_found', `ref ${shown(ref ?? '')} in skill repository ${repository}`)
    : refusal('backend_error', `skill repository ${repository}: ${sentence(failure)}`);

/** A repository that nobody configured. */
export const unknownRepository = (given: string, configured: readonly string[]): Refusal =>
  refusal(
    'not_found',
    `skill repository ${shown(given)} is not configured (configured: ${configured.join(', ')})`,
  );

/** A ref that Git would not take. */
export const malformedRef = (ref: string): Refusal =>
  refusal('invalid_request', `ref ${shown(ref)} is not the name of a branch, a tag or a commit`);
