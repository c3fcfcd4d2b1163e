import type { OperationInput } from '../operations/operations.ts';

type Skills = OperationInput<'update_agent'>['skills'];

/**
 * Returns why skills are refused, or `undefined`: the address of a Git repository must not be blank.
 *
 * @spec §4.4
 */
export const skillsProblem = (skills: Skills): string | undefined => {
  const index = (skills?.gitRefs ?? []).findIndex(({ url }) => url.trim() === '');
  return index === -1 ? undefined : `skills.gitRefs[${index}].url is required`;
};
