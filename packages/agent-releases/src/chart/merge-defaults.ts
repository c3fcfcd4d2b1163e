import { isMap } from '../values/lenient.ts';
import type { Json } from '../store/objects.ts';

/**
 * Values over the defaults of a chart, as Helm puts them together: maps are merged, everything else replaces, and null takes a default
 * away. Values are nested a bounded number of levels.
 */
export const mergeDefaults = (defaults: Json, values: Json): Json => {
  const merged = new Map(Object.entries(defaults));
  for (const [key, value] of Object.entries(values)) {
    const before = merged.get(key);
    if (value === null && before !== undefined) merged.delete(key);
    else merged.set(key, isMap(before) && isMap(value) ? mergeDefaults(before, value) : value);
  }
  return Object.fromEntries(merged);
};
