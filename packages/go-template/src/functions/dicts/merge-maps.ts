import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../values/template-value.ts';
import { tooLarge } from '../definition/budget.ts';
import { isTrue } from '../../values/is-true.ts';
import {
  isMap,
  mapOf,
  ownValue,
  UNITS_PER_ENTRY,
  type TemplateMap,
} from '../../values/template-map.ts';
import { MAX_VALUE_DEPTH } from '../../values/value-limits.ts';
import { tooDeep } from '../definition/depth.ts';

/** Whether the value that is there gives way to one that comes. */
export type GivesWay = (there: TemplateValue) => boolean;

/** The first value that is not empty stays. */
export const earlierCounts: GivesWay = (there) => !isTrue(there);
/** What comes later replaces what is there. */
export const laterCounts: GivesWay = () => true;

/** An entry is copied into a map of entries, and from there into the new map. */
const UNITS_PER_MERGED = 2 * UNITS_PER_ENTRY;

interface Merging {
  readonly givesWay: GivesWay;
  readonly context: FunctionContext;
}

const mergedValue = (
  there: TemplateValue | undefined,
  comes: TemplateValue,
  merging: Merging,
  depth: number,
): TemplateValue | FunctionFailure => {
  if (there === undefined) return comes;
  if (isMap(there) && isMap(comes)) return mergedAt(there, comes, merging, depth + 1);
  return merging.givesWay(there) ? comes : there;
};

const mergedAt = (
  target: TemplateMap,
  source: TemplateMap,
  merging: Merging,
  depth: number,
): TemplateMap | FunctionFailure => {
  if (depth > MAX_VALUE_DEPTH) return tooDeep();
  const keys = Object.keys(source);
  const entries = new Map(Object.entries(target));
  if (!merging.context.spend(UNITS_PER_MERGED * (keys.length + entries.size))) return tooLarge();
  for (const key of keys) {
    const merged = mergedValue(entries.get(key), ownValue(source, key) ?? null, merging, depth);
    if (merged instanceof FunctionFailure) return merged;
    entries.set(key, merged);
  }
  return mapOf(entries);
};

/** Two maps as a new one. Where both have a map under a key, those are merged as well. */
export const mergedMap = (
  target: TemplateMap,
  source: TemplateMap,
  merging: Merging,
): TemplateMap | FunctionFailure => mergedAt(target, source, merging, 0);
