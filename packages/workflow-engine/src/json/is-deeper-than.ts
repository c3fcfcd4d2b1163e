import type { JsonValue } from '@gateway/crd-schemas';

/** Maximum nesting of the arguments and results of a run: writing JSON uses one stack frame for each level. */
export const MAX_JSON_LEVELS = 500;

/** Returns whether lists and objects are nested deeper than this. Visits no deeper level. */
export const isDeeperThan = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
};
