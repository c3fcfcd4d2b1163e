import { isMap, own } from '../values/lenient.ts';
import type { Json } from '../store/objects.ts';

/** The keys from the root of the values to a changed value. */
export type KeyPath = readonly string[];

/** Returns the map whose keys are compared. An absent value counts as an empty map when the other value is a filled one. */
const inside = (value: unknown, other: unknown): Json | undefined => {
  if (isMap(value)) return value;
  return value === undefined && isMap(other) && Object.keys(other).length > 0 ? {} : undefined;
};

const sameItems = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && before.every((item, index) => isSame(item, after[index]));

/** Returns whether two values are equal JSON, independent of the order of keys. */
const isSame = (before: unknown, after: unknown): boolean => {
  if (Object.is(before, after)) return true;
  if (Array.isArray(before) && Array.isArray(after)) return sameItems(before, after);
  return (
    isMap(before) &&
    isMap(after) &&
    differences(before, after).length === 0 &&
    Object.keys(before).length === Object.keys(after).length
  );
};

const differencesAt = (path: KeyPath, before: unknown, after: unknown): readonly KeyPath[] => {
  const maps = [inside(before, after), inside(after, before)] as const;
  if (maps[0] !== undefined && maps[1] !== undefined)
    return differences(maps[0], maps[1]).map((rest) => [...path, ...rest]);
  return isSame(before, after) ? [] : [path];
};

/**
 * Returns the paths whose values differ. Maps are compared recursively, a list is one value, and an added or removed map gives its keys.
 * Values are nested a bounded number of levels.
 */
export const differences = (before: Json, after: Json): readonly KeyPath[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differencesAt([key], own(before, key), own(after, key)),
  );

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/u;

const segment = (key: string): string =>
  PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;

/** Returns a path as text: `agent.description`, or `labels["team.example.com/name"]` for a key with dots. */
export const pathText = (path: KeyPath): string => {
  const text = path.map(segment).join('');
  return text.startsWith('.') ? text.slice(1) : text;
};
