import { TemplateTime, type TemplateValue } from './template-value.ts';

const hasOwnKey = (map: object): boolean => {
  for (const key in map) if (Object.hasOwn(map, key)) return true;
  return false;
};

/** What `if`, `with`, `and`, `or` and `not` take for true: everything but false, 0, null and what is empty. */
export const isTrue = (value: TemplateValue): boolean => {
  if (typeof value !== 'object' || value === null) return Boolean(value) || Number.isNaN(value);
  if (value instanceof TemplateTime) return true;
  return Array.isArray(value) ? value.length > 0 : hasOwnKey(value);
};
