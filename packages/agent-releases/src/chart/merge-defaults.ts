import { isMap } from '../values/lenient.ts';
import type { Json } from '../store/objects.ts';

/**
 * Returns values merged with the defaults of a chart, by the rules of Helm: maps are merged, any other value replaces the default, and null
 * removes it. Values have a bounded number of levels.
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
