import { isJsonObject } from '@gateway/call-contract';
import type { HelmRelease, Json } from '../store/agent-store.ts';

/** Returns a JSON object, whose keys `own` reads; an empty one for any other value. */
export const toMap = (value: unknown): Json => (isJsonObject(value) ? value : {});

/** Returns a list; an empty one for any other value. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns an own property of a map, never an inherited one. */
export const readOwnKey = (map: Json, key: string): unknown =>
  Object.hasOwn(map, key) ? map[key] : undefined;

/** Returns a map without one of its keys. */
export const without = (map: Json, key: string): Json =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));

/** Returns the value at a path of keys. */
export const readNestedValue = (value: unknown, ...path: readonly string[]): unknown => {
  let inner = value;
  for (const key of path) inner = readOwnKey(toMap(inner), key);
  return inner;
};

/** Returns a non-blank string; undefined for any other value. */
export const toNonBlankText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Returns the strings of a list. */
export const toTextList = (value: unknown): readonly string[] =>
  toList(value).filter((item) => typeof item === 'string');

/** Returns a finite number; undefined for any other value. */
export const toNumericValue = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Returns a copy of a list; undefined for an empty one. */
export const toNonEmptyList = <T>(list: readonly T[]): T[] | undefined =>
  list.length === 0 ? undefined : [...list];

/** Returns an object without its undefined keys. Its keys must be constants of this program, never keys from outside. */
export const pickDefined = <T extends object>(
  object: T,
): { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} => {
  const present: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) if (value !== undefined) present[key] = value;
  return present as never;
};

/** Returns the values of a release; an empty object when they are not a map. */
export const readReleaseValues = (release: HelmRelease): Json =>
  toMap(readNestedValue(release, 'spec', 'values'));

/** The maximum nesting of values, which bounds the recursion of printing and comparing them. */
export const MAX_VALUES_DEPTH = 64;

/** The message for values that are nested too deeply. */
export const TOO_DEEP = `must be nested at most ${MAX_VALUES_DEPTH} levels`;

/** Returns whether a value has at most this many levels. Reads no further levels. */
export const isWithinDepth = (value: unknown, levels: number = MAX_VALUES_DEPTH): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((inner) => isWithinDepth(inner, levels - 1));
};
