import { textProblem } from '../../fields/bounded-text.ts';
import type { TextBounds } from '../../fields/text-bounds.ts';
import { STEP_ID } from '../../fields/text-pattern.ts';
import { MAX_STEP_ID_CHARS } from '../../resource/limits.ts';
import { memberOf } from '../../resource/resource-identity.ts';

/** The bounds of the id of a step or a sub-step. @spec §2.7 id, §8 */
export const STEP_ID_BOUNDS = {
  min: 1,
  max: MAX_STEP_ID_CHARS,
  pattern: STEP_ID,
} as const satisfies TextBounds;

/** Returns the id of a step, valid or invalid; empty when it has none. */
export const idOf = (step: unknown): string => {
  const id = memberOf(step, 'id');
  return typeof id === 'string' ? id : '';
};

/** Returns the id of a step if it is valid. */
export const rightIdOf = (step: unknown): string | undefined => {
  const id = idOf(step);
  return textProblem(id, STEP_ID_BOUNDS) === undefined ? id : undefined;
};
