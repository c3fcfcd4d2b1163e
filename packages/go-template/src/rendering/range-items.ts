import { tooLarge } from '../functions/definition/budget.ts';
import { byCodePoints, isList, isMap, type TemplateMap } from '../values/template-map.ts';
import type { Rendering } from './rendering.ts';
import { FunctionFailure, type TemplateValue } from '../values/template-value.ts';

/** A turn of a loop: the index or the key, and the item. */
export type Turn = readonly [key: TemplateValue, item: TemplateValue];

function* turnsOfList(list: readonly TemplateValue[]): Generator<Turn> {
  for (const [index, item] of list.entries()) yield [index, item];
}

function* turnsOfMap(map: TemplateMap, keys: readonly string[]): Generator<Turn> {
  for (const key of keys) yield [key, map[key] ?? null];
}

/** Sorting a key costs as much as many other things do. */
const UNITS_PER_KEY = 32;

/** The keys in order, sorted once in a rendering. */
const sortedOnce = (
  map: TemplateMap,
  { keys, context }: Rendering,
): readonly string[] | undefined => {
  const known = keys.get(map);
  if (known !== undefined) return known;
  const sorted = Object.keys(map);
  if (!context.spend(sorted.length * UNITS_PER_KEY)) return undefined;
  keys.set(map, sorted.sort(byCodePoints));
  return sorted;
};

const rangeOverMap = (map: TemplateMap, rendering: Rendering): Iterable<Turn> | FunctionFailure => {
  const keys = sortedOnce(map, rendering);
  return keys === undefined ? tooLarge() : turnsOfMap(map, keys);
};

function* turnsUpTo(count: number): Generator<Turn> {
  for (let index = 0; index < count; index += 1) yield [index, index];
}

const refused = (what: string): FunctionFailure =>
  new FunctionFailure(`range can't iterate over ${what}`);

/**
 * What `range` goes over: the items of a list, the values of a map in the order of its keys, the numbers below a number.
 * Null is empty.
 */
export const rangeTurns = (
  value: TemplateValue,
  rendering: Rendering,
): Iterable<Turn> | FunctionFailure => {
  if (value === null) return [];
  if (isList(value)) return turnsOfList(value);
  if (isMap(value)) return rangeOverMap(value, rendering);
  if (typeof value !== 'number') {
    return refused(typeof value === 'object' ? 'a time' : `a ${typeof value}`);
  }
  return Number.isSafeInteger(value) ? turnsUpTo(value) : refused(`${value}`);
};
