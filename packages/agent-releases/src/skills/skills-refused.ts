import { REFUSALS, type Refusal } from '@gateway/agent-manager-client';
import { MAX_SKILLS, type RepositoryFailure } from './repository-skills.ts';

const SENTENCES: Readonly<Record<Exclude<RepositoryFailure['kind'], 'noRef' | 'status'>, string>> =
  {
    limited: 'the Git host takes no more requests for now',
    moved: 'the Git host reports that it has moved',
    late: 'the Git host did not answer in time',
    unreachable: 'the Git host cannot be reached',
    tooLarge: 'the Git host answered more than is read',
    unreadable: 'the Git host answered something else',
    tooManyFiles: 'it has more files than the Git host lists',
    tooManySkills: `it has more than ${MAX_SKILLS} skills`,
  };

const sentence = (failure: Exclude<RepositoryFailure, { kind: 'noRef' }>): string =>
  failure.kind === 'status' ? `the Git host answered ${failure.status}` : SENTENCES[failure.kind];

/** Returns why the skills of a repository cannot be listed, without the text of the host. */
export const skillsRefused = (
  repository: string,
  ref: string | undefined,
  failure: RepositoryFailure,
): Refusal =>
  failure.kind === 'noRef'
    ? REFUSALS.noSkillRef({ repository, ref: ref ?? '' })
    : REFUSALS.skillsUnread({ repository, reason: sentence(failure) });
