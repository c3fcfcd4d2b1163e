import type { JsonValue } from '@gateway/crd-schemas';

/** Levels of what comes into a run, arguments and results: writing JSON goes one level down the stack for each of theirs. */
export const MAX_JSON_LEVELS = 500;

/** Returns true when lists and objects stand in one another on more levels than these. Looks no deeper than that. */
export const isDeeperThan = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
};
