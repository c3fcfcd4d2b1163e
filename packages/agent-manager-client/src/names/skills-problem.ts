import type { OperationInput } from '../operations/operations.ts';

type Skills = OperationInput<'update_agent'>['skills'];

/**
 * Why an agent does not load these skills, or `undefined`: a Git repository has an address that says something.
 *
 * @spec §4.4
 */
export const skillsProblem = (skills: Skills): string | undefined => {
  const index = (skills?.gitRefs ?? []).findIndex(({ url }) => url.trim() === '');
  return index === -1 ? undefined : `skills.gitRefs[${index}].url is required`;
};
