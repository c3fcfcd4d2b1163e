import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../values/template-value.ts';
import { tooLarge } from '../definition/budget.ts';
import { isTrue } from '../../values/is-true.ts';
import {
  isMap,
  keysWithin,
  mapOf,
  ownValue,
  UNITS_PER_ENTRY,
  type TemplateMap,
} from '../../values/template-map.ts';
import { MAX_VALUE_DEPTH } from '../../values/value-limits.ts';
import { tooDeep } from '../definition/depth.ts';

/** Returns whether an existing value is replaced by a new one. */
export type IsReplaced = (there: TemplateValue) => boolean;

/** The first value that is not empty stays; null adds nothing. */
export const isReplacedWhenEmpty: IsReplaced = (there) => !isTrue(there);
/** The later value always replaces the existing one. */
export const isAlwaysReplaced: IsReplaced = () => true;

/** An entry is copied into a `Map`, and from there into the new map. */
const UNITS_PER_MERGED = 2 * UNITS_PER_ENTRY;

interface Merging {
  readonly isReplaced: IsReplaced;
  readonly context: FunctionContext;
}

const mergeValue = (
  there: TemplateValue | undefined,
  comes: TemplateValue,
  merging: Merging,
  depth: number,
): TemplateValue | FunctionFailure => {
  if (there === undefined) return comes;
  if (isMap(there) && isMap(comes)) return mergeAt(there, comes, merging, depth + 1);
  return merging.isReplaced(there) ? comes : there;
};

const mergeAt = (
  target: TemplateMap,
  source: TemplateMap,
  merging: Merging,
  depth: number,
): TemplateMap | FunctionFailure => {
  if (depth > MAX_VALUE_DEPTH) return tooDeep();
  const { spend } = merging.context;
  const keys = keysWithin(source, spend);
  const known = keysWithin(target, spend);
  if (keys === undefined || known === undefined) return tooLarge();
  if (!spend(UNITS_PER_MERGED * (keys.length + known.length))) return tooLarge();
  const entries = new Map(Object.entries(target));
  for (const key of keys) {
    const comes = ownValue(source, key) ?? null;
    if (comes === null && merging.isReplaced === isReplacedWhenEmpty) continue;
    const merged = mergeValue(entries.get(key), comes, merging, depth);
    if (merged instanceof FunctionFailure) return merged;
    entries.set(key, merged);
  }
  return mapOf(entries);
};

/** Two maps as a new one. Where both have a map under a key, those are merged as well. */
export const mergeMaps = (
  target: TemplateMap,
  source: TemplateMap,
  merging: Merging,
): TemplateMap | FunctionFailure => mergeAt(target, source, merging, 0);
