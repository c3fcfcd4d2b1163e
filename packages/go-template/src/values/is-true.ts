import { TemplateTime, type TemplateValue } from './template-value.ts';

/**
 * Maps that are known to have keys. A map never loses a key; finding the first key of a large map takes as long as listing all.
 */
const nonEmptyMaps = new WeakSet();

const hasOwnKey = (map: object): boolean => {
  if (nonEmptyMaps.has(map)) return true;
  if (Object.keys(map).length === 0) return false;
  nonEmptyMaps.add(map);
  return true;
};

/** Returns whether `if`, `with`, `and`, `or` and `not` treat a value as true: any value except false, 0, null and empty ones. */
export const isTrue = (value: TemplateValue): boolean => {
  if (typeof value !== 'object' || value === null) return Boolean(value) || Number.isNaN(value);
  if (value instanceof TemplateTime) return true;
  return Array.isArray(value) ? value.length > 0 : hasOwnKey(value);
};
