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
    (key) => Object.hasOwn(b, key) && isSameJson(readValue(a, key), readValue(b, key), depth + 1),
  );
}

const readValue = (value: object, key: string): unknown => (value as Record<string, unknown>)[key];

/** Compares names by code units, independent of the locale. */
export function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Groups items by each of their keys. Groups and their items have the order of the input. */
export function groupBy<K, T>(
  items: readonly T[],
  keysOf: (item: T) => Iterable<K>,
): ReadonlyMap<K, readonly T[]> {
  const byKey = new Map<K, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = byKey.get(key);
      if (group === undefined) byKey.set(key, [item]);
      // An item that names a key twice in a row belongs to the group once.
      else if (group.at(-1) !== item) group.push(item);
    }
  }
  return byKey;
}
