import { byCodePoints } from '../functions/template-map.ts';
import { FunctionFailure, type TemplateValue } from './template-value.ts';
import { isTemplateMap } from './walk-path.ts';

/** A turn of a loop: the index or the key, and the item. */
export type Turn = readonly [key: TemplateValue, item: TemplateValue];

function* turnsOfList(list: readonly TemplateValue[]): Generator<Turn> {
  for (const [index, item] of list.entries()) yield [index, item];
}

function* turnsOfMap(map: { readonly [key: string]: TemplateValue }): Generator<Turn> {
  for (const key of Object.keys(map).sort(byCodePoints)) yield [key, map[key] ?? null];
}

function* turnsUpTo(count: number): Generator<Turn> {
  for (let index = 0; index < count; index += 1) yield [index, index];
}

const refused = (what: string): FunctionFailure =>
  new FunctionFailure(`range can't iterate over ${what}`);

/**
 * What `range` goes over: the items of a list, the values of a map in the order of its keys, the numbers below a number.
 * Null is empty.
 */
export const rangeTurns = (value: TemplateValue): Iterable<Turn> | FunctionFailure => {
  if (value === null) return [];
  if (Array.isArray(value)) return turnsOfList(value as readonly TemplateValue[]);
  if (isTemplateMap(value)) return turnsOfMap(value);
  if (typeof value !== 'number') {
    return refused(typeof value === 'object' ? 'a time' : `a ${typeof value}`);
  }
  return Number.isSafeInteger(value) ? turnsUpTo(value) : refused(`${value}`);
};
