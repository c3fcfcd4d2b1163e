import { tooLarge } from '../functions/definition/budget.ts';
import { isList, isMap, sortedKeys, type TemplateMap } from '../values/template-map.ts';
import type { Rendering } from './rendering.ts';
import { FunctionFailure, type TemplateValue } from '../values/template-value.ts';

/** An iteration of a loop: the index or the key, and the item. */
export type Iteration = readonly [key: TemplateValue, item: TemplateValue];

function* iterationsOfList(list: readonly TemplateValue[]): Generator<Iteration> {
  for (const [index, item] of list.entries()) yield [index, item];
}

function* iterationsOfMap(map: TemplateMap, keys: readonly string[]): Generator<Iteration> {
  for (const key of keys) yield [key, map[key] ?? null];
}

/** Returns the keys in order, sorted once in a rendering. */
const sortedKeysOf = (
  map: TemplateMap,
  { keys, spend }: Rendering,
): readonly string[] | undefined => {
  const known = keys.get(map);
  if (known !== undefined) return known;
  const sorted = sortedKeys(map, spend);
  if (sorted !== undefined) keys.set(map, sorted);
  return sorted;
};

const rangeOverMap = (
  map: TemplateMap,
  rendering: Rendering,
): Iterable<Iteration> | FunctionFailure => {
  const keys = sortedKeysOf(map, rendering);
  return keys === undefined ? tooLarge() : iterationsOfMap(map, keys);
};

function* iterationsUpTo(count: number): Generator<Iteration> {
  for (let index = 0; index < count; index += 1) yield [index, index];
}

const refused = (what: string): FunctionFailure =>
  new FunctionFailure(`range can't iterate over ${what}`);

/**
 * Returns the iterations of `range`: the items of a list, the values of a map in the order of its keys, or the numbers below a
 * number. Null has none.
 */
export const rangeIterations = (
  value: TemplateValue,
  rendering: Rendering,
): Iterable<Iteration> | FunctionFailure => {
  if (value === null) return [];
  if (isList(value)) return iterationsOfList(value);
  if (isMap(value)) return rangeOverMap(value, rendering);
  if (typeof value !== 'number') {
    return refused(typeof value === 'object' ? 'a time' : `a ${typeof value}`);
  }
  return Number.isSafeInteger(value) ? iterationsUpTo(value) : refused(`${value}`);
};
