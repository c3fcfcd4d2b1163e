import { isMapping } from './mapping.ts';

const defined = (target: Record<string, unknown>, key: string, value: unknown): void => {
  // An assignment to `__proto__` would set the prototype.
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
};

/** Returns a value with a patch merged into it. Pure. @see RFC 7396 */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isMapping(patch)) return patch;
  const merged: Record<string, unknown> = {};
  const before = isMapping(target) ? target : {};
  for (const [key, value] of Object.entries(before)) defined(merged, key, value);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, key);
    else
      defined(merged, key, mergePatch(Object.hasOwn(before, key) ? before[key] : undefined, value));
  }
  return merged;
};
