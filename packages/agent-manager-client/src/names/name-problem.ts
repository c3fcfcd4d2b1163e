import { MAX_NAME_CHARS } from '../limits.ts';
import { formatShown } from '../refusals/shown.ts';

/** Syntax of a DNS-1123 label, without its length. */
export const NAME_PATTERN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

/**
 * Returns why a name of an agent is refused, or `undefined`. Length is checked before syntax.
 *
 * @spec §4.4
 */
export const nameProblem = (name: string | undefined): string | undefined => {
  if (name === undefined || isBlank(name)) return 'name is required';
  if (name.length > MAX_NAME_CHARS)
    return `name ${formatShown(name)} is longer than ${MAX_NAME_CHARS} characters`;
  return NAME_PATTERN.test(name)
    ? undefined
    : `name ${formatShown(name)} must be a DNS-1123 label: lowercase letters, digits and '-', starting and ending alphanumeric`;
};

/** Returns why the name of a model configuration is refused, or `undefined`. Does not check its existence. */
export const modelConfigProblem = (modelConfig: string | undefined): string | undefined =>
  isBlank(modelConfig) ? 'modelConfig is required' : undefined;
