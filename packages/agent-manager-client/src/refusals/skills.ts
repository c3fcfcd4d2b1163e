import { refusal, type Refusal } from './refusal.ts';
import { formatShown, formatNames } from './shown.ts';

/** Refusals of a list of skills. Repositories are named as configured, without secrets. @spec §4.4 */
export const SKILL_REFUSALS = {
  noSkillRepositories: (): Refusal =>
    refusal('unsupported', 'no skill repositories are configured'),
  unknownSkillRepository: (facts: {
    readonly repository: string;
    readonly configured: readonly string[];
  }): Refusal =>
    refusal(
      'not_found',
      `skill repository ${formatShown(facts.repository)} is not configured (configured: ${formatNames(facts.configured)})`,
    ),
  /** A ref that Git would not take. */
  malformedSkillRef: (ref: string): Refusal =>
    refusal(
      'invalid_request',
      `ref ${formatShown(ref)} is not the name of a branch, a tag or a commit`,
    ),
  noSkillRef: (facts: { readonly repository: string; readonly ref: string }): Refusal =>
    refusal('not_found', `ref ${formatShown(facts.ref)} in skill repository ${facts.repository}`),
  /** @param facts.reason the reason of the failure, as a sentence without a full stop */
  skillsUnread: (facts: { readonly repository: string; readonly reason: string }): Refusal =>
    refusal('backend_error', `skill repository ${facts.repository}: ${facts.reason}`),
} as const;
