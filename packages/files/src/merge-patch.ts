import { isJsonObject } from '@gateway/call-contract';
import { isDeepStrictEqual } from 'node:util';

/** A mapping of plain data. */
export type Mapping = Readonly<Record<string, unknown>>;

const defineField = (target: Record<string, unknown>, key: string, value: unknown): void => {
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
  if (!isJsonObject(patch)) return patch;
  const merged: Record<string, unknown> = {};
  const before = isJsonObject(target) ? target : {};
  for (const [key, value] of Object.entries(before)) defineField(merged, key, value);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, key);
    else
      defineField(
        merged,
        key,
        mergePatch(Object.hasOwn(before, key) ? before[key] : undefined, value),
      );
  }
  return merged;
};

const diffValue = (before: unknown, after: unknown): unknown =>
  isJsonObject(before) && isJsonObject(after) ? computeMergePatch(before, after) : after;

/** Returns the patch that turns one mapping into another. Pure. @see RFC 7396 */
export const computeMergePatch = (before: Mapping, after: Mapping): Mapping => {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = keys.flatMap((key): readonly (readonly [string, unknown])[] => {
    if (!Object.hasOwn(after, key)) return [[key, null]];
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    return isDeepStrictEqual(was, after[key]) ? [] : [[key, diffValue(was, after[key])]];
  });
  return Object.fromEntries(changes);
};
