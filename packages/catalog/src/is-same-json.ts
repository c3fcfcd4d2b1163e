/** Returns whether two lists have identical objects in the same order. */
export function hasSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Maximum depth of the comparison; deeper values count as different. */
const MAX_DEPTH = 100;

/** Returns whether two JSON values are equal, regardless of key order. Values nested deeper than 100 levels are not equal. */
export function isSameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth >= MAX_DEPTH || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && isSameJson(valueAt(a, key), valueAt(b, key), depth + 1),
  );
}

const valueAt = (value: object, key: string): unknown => (value as Record<string, unknown>)[key];
