import { MAX_NAME_CHARS } from '../limits.ts';
import { shown } from '../refusals/shown.ts';

/** What a DNS-1123 label looks like, its length apart. */
export const NAME_PATTERN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

/**
 * Why agents are not called so, or `undefined`. Length is judged before shape.
 *
 * @spec §4.4
 */
export const nameProblem = (name: string | undefined): string | undefined => {
  if (name === undefined || isBlank(name)) return 'name is required';
  if (name.length > MAX_NAME_CHARS)
    return `name ${shown(name)} is longer than ${MAX_NAME_CHARS} characters`;
  return NAME_PATTERN.test(name)
    ? undefined
    : `name ${shown(name)} must be a DNS-1123 label: lowercase letters, digits and '-', starting and ending alphanumeric`;
};

/** Why an agent is not created with this model configuration, whichever there are; or `undefined`. */
export const modelConfigProblem = (modelConfig: string | undefined): string | undefined =>
  isBlank(modelConfig) ? 'modelConfig is required' : undefined;
