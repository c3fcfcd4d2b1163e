import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../template/template-value.ts';
import { tooLarge } from '../budget.ts';
import { isTrue } from '../../template/is-true.ts';
import { isMap, mapOf, ownValue, type TemplateMap } from '../template-map.ts';
import { MAX_VALUE_DEPTH } from '../../template/render-limits.ts';
import { tooDeep } from '../depth.ts';

/** Whether the value that is there gives way to one that comes. */
export type GivesWay = (there: TemplateValue) => boolean;

/** The first value that is not empty stays. */
export const earlierCounts: GivesWay = (there) => !isTrue(there);
/** What comes later replaces what is there. */
export const laterCounts: GivesWay = () => true;

/** Two maps as a new one. Where both have a map under a key, those are merged as well. */
export const mergedMap = (
  target: TemplateMap,
  source: TemplateMap,
  givesWay: GivesWay,
  { context, depth = 0 }: { readonly context: FunctionContext; readonly depth?: number },
): TemplateMap | FunctionFailure => {
  if (depth > MAX_VALUE_DEPTH) return tooDeep();
  const keys = Object.keys(source);
  const entries = new Map(Object.entries(target));
  if (!context.spend(keys.length + entries.size)) return tooLarge();
  for (const key of keys) {
    const there = entries.get(key);
    const comes = ownValue(source, key) ?? null;
    const merged =
      there !== undefined && isMap(there) && isMap(comes)
        ? mergedMap(there, comes, givesWay, { context, depth: depth + 1 })
        : there === undefined || givesWay(there)
          ? comes
          : there;
    if (merged instanceof FunctionFailure) return merged;
    entries.set(key, merged);
  }
  return mapOf(entries);
};
