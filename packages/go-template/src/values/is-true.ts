import { TemplateTime, type TemplateValue } from './template-value.ts';

/** Maps that were seen to have keys. They never lose one; finding the first key of a large map takes as long as listing all. */
const filled = new WeakSet();

const hasOwnKey = (map: object): boolean => {
  if (filled.has(map)) return true;
  if (Object.keys(map).length === 0) return false;
  filled.add(map);
  return true;
};

/** What `if`, `with`, `and`, `or` and `not` take for true: everything but false, 0, null and what is empty. */
export const isTrue = (value: TemplateValue): boolean => {
  if (typeof value !== 'object' || value === null) return Boolean(value) || Number.isNaN(value);
  if (value instanceof TemplateTime) return true;
  return Array.isArray(value) ? value.length > 0 : hasOwnKey(value);
};
