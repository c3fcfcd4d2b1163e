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
