import type { ValueEdit } from '../compose/field-edits.ts';
import { mapOf, own, without } from '../values/lenient.ts';
import type { Json } from '../store/objects.ts';

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const set = (map: Json, [key, ...rest]: readonly string[], value: unknown): Json => {
  if (key === undefined) return map;
  if (rest.length === 0) return { ...map, [key]: value };
  return { ...map, [key]: set(mapOf(own(map, key)), rest, value) };
};

const remove = (map: Json, [key, ...rest]: readonly string[]): Json => {
  if (key === undefined || !Object.hasOwn(map, key)) return map;
  if (rest.length === 0) return without(map, key);
  const before = mapOf(map[key]);
  const after = remove(before, rest);
  if (after === before) return map;
  return isEmpty(after) ? without(map, key) : { ...map, [key]: after };
};

/** Returns the values after these edits. Other keys keep their value and position; new keys are last. A map without keys is removed. */
export const applyEdits = (values: Json, edits: readonly ValueEdit[]): Json =>
  edits.reduce(
    (current, { path, value }) =>
      value === undefined ? remove(current, path) : set(current, path, value),
    values,
  );
