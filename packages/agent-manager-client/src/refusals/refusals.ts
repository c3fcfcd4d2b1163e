import { EXISTENCE_REFUSALS } from './existence.ts';
import { OWNERSHIP_REFUSALS } from './ownership.ts';
import { SKILL_REFUSALS } from './skills.ts';
import { VALUES_REFUSALS } from './values-refusal.ts';

/**
 * Every refusal that depends on what there is, from its facts. Those of single arguments are `nameProblem`, `modelConfigProblem`,
 * `skillsProblem`, `toolsetProblem` and `toolNamesProblem`. Names in them are escaped and cut, lists are cut: facts of any size make a
 * message of bounded size.
 *
 * @spec §4.4
 */
export const REFUSALS = {
  ...EXISTENCE_REFUSALS,
  ...OWNERSHIP_REFUSALS,
  ...VALUES_REFUSALS,
  ...SKILL_REFUSALS,
} as const;
