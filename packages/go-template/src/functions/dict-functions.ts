import { shortenText } from '../syntax/template.ts';
import {
  type FunctionContext,
  FunctionFailure,
  isMap,
  isTrue,
  listMapKeys,
  createMap,
  MAX_VALUE_DEPTH,
  findOwnValue,
  listSortedKeys,
  type TemplateFunction,
  type TemplateMap,
  type TemplateValue,
  UNITS_PER_ENTRY,
} from '../values/template-value.ts';
import {
  readAnyArgument,
  describeKind,
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  map,
  readRest,
  readTextArgument,
  createDepthFailure,
  createBudgetFailure,
  withAllArguments,
  withArguments,
  withMustNames,
} from './definition.ts';
import { formatIdentityKey } from './json-functions.ts';
import { formatTemplateValue } from './print.ts';

/**
 * `dig key… fallback map`. Returns the fallback when a key is missing; fails when a key is applied to a value that is not a
 * map.
 */
const dig: TemplateFunction = (args) => {
  const keys = args.slice(0, -2);
  const [fallback = null, start = null] = args.slice(-2);
  let value = start;
  for (const [index, key] of keys.entries()) {
    if (typeof key !== 'string')
      return new FunctionFailure(
        `argument ${index + 1} must be a string, but is ${describeKind(key)}`,
      );
    if (!isMap(value))
      return new FunctionFailure(
        `cannot look for ${JSON.stringify(shortenText(key))} in ${describeKind(value)}`,
      );
    const next = findOwnValue(value, key);
    if (next === undefined) return fallback;
    value = next;
  }
  return value;
};

/** Returns whether an existing value is replaced by a new one. */
export type IsReplaced = (there: TemplateValue) => boolean;

/** The first value that is not empty stays; null adds nothing. */
const isReplacedWhenEmpty: IsReplaced = (there) => !isTrue(there);
/** The later value always replaces the existing one. */
const isAlwaysReplaced: IsReplaced = () => true;

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
  if (depth > MAX_VALUE_DEPTH) return createDepthFailure();
  const { spend } = merging.context;
  const keys = listMapKeys(source, spend);
  const known = listMapKeys(target, spend);
  if (keys === undefined || known === undefined) return createBudgetFailure();
  if (!spend(UNITS_PER_MERGED * (keys.length + known.length))) return createBudgetFailure();
  const entries = new Map(Object.entries(target));
  for (const key of keys) {
    const comes = findOwnValue(source, key) ?? null;
    if (comes === null && merging.isReplaced === isReplacedWhenEmpty) continue;
    const merged = mergeValue(entries.get(key), comes, merging, depth);
    if (merged instanceof FunctionFailure) return merged;
    entries.set(key, merged);
  }
  return createMap(entries);
};

/** Two maps as a new one. Where both have a map under a key, those are merged as well. */
const mergeMaps = (
  target: TemplateMap,
  source: TemplateMap,
  merging: Merging,
): TemplateMap | FunctionFailure => mergeAt(target, source, merging, 0);

const entry = createEntryFactory('Maps');

/** Returns a map of alternating keys and values; the last key may have no value. */
const createDict = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): TemplateMap | FunctionFailure => {
  if (!context.spend(UNITS_PER_ENTRY * values.length)) return createBudgetFailure();
  const entries: [string, TemplateValue][] = [];
  for (let at = 0; at < values.length; at += 2) {
    const key = formatTemplateValue(values[at] ?? null, context);
    if (key instanceof FunctionFailure) return key;
    entries.push([key, values[at + 1] ?? (at + 1 < values.length ? null : '')]);
  }
  return createMap(entries);
};

const createKeyFilter = (keep: (isNamed: boolean) => boolean): TemplateFunction =>
  withArguments([map], ([given], context, more) => {
    const keys = readRest(readTextArgument, more, 1);
    if (keys instanceof FunctionFailure) return keys;
    const names = new Set(keys);
    return copyMap(given, context, () =>
      createMap(Object.entries(given).filter(([key]) => keep(names.has(key)))),
    );
  });

const createMergeFunction = (isReplaced: IsReplaced): TemplateFunction =>
  withAllArguments(map, ([first = {}, ...others], context) => {
    let result = first;
    for (const source of others) {
      const merged = mergeMaps(result, source, { isReplaced, context });
      if (merged instanceof FunctionFailure) return merged;
      result = merged;
    }
    return result;
  });

/** Derives a map from another, if the budget allows copying it. */
const copyMap = (
  given: TemplateMap,
  context: FunctionContext,
  copy: () => TemplateMap,
): TemplateMap | FunctionFailure => {
  const keys = listMapKeys(given, context.spend);
  if (keys === undefined) return createBudgetFailure();
  return makeWithinBudget(context, UNITS_PER_ENTRY * (keys.length + 1), copy);
};

/** Returns the items found in every map, with what finding them cost. */
const listMapItems = (
  maps: readonly TemplateMap[],
  context: FunctionContext,
  itemsOf: (given: TemplateMap) => readonly TemplateValue[] | undefined,
): TemplateValue[] | FunctionFailure => {
  const all: TemplateValue[] = [];
  for (const given of maps) {
    const items = itemsOf(given);
    if (items === undefined || !context.spend(UNITS_PER_ENTRY * (items.length + 1)))
      return createBudgetFailure();
    for (const item of items) all.push(item);
  }
  return all;
};

const merge = entry(
  createMergeFunction(isReplacedWhenEmpty),
  'merge map…',
  'All maps in one. Of two values the first that is not empty counts; maps under one key are merged. A variable as the first argument is updated.',
  ['{{ merge (dict "a" 1) (dict "a" 2 "b" 3) | toJson }}', '{"a":1,"b":3}'],
);
const mergeOverwrite = entry(
  createMergeFunction(isAlwaysReplaced),
  'mergeOverwrite map…',
  'All maps in one. Of two values the later counts; maps under one key are merged. A variable as the first argument is updated.',
  ['{{ mergeOverwrite (dict "a" 1) (dict "a" 2 "b" 3) | toJson }}', '{"a":2,"b":3}'],
);
const deepCopy = entry(
  withArguments([readAnyArgument], ([value]) => value),
  'deepCopy value',
  'The value itself: nothing can change it.',
  ['{{ deepCopy (dict "a" 1) | toJson }}', '{"a":1}'],
);

/** Functions on maps. Each returns a new map; where the first argument of `set`, `unset` or `merge` is a variable, the evaluator assigns the result to it. */
export const dictFunctions = {
  dict: entry(
    withAllArguments(readAnyArgument, createDict),
    'dict key value…',
    'A map of alternating keys and values.',
    ['{{ dict "a" 1 "b" (list 2) | toJson }}', '{"a":1,"b":[2]}'],
  ),
  get: entry(
    withArguments([map, readTextArgument], ([given, key]) =>
      Object.hasOwn(given, key) ? (given[key] ?? null) : '',
    ),
    'get map key',
    'The value under a key, or an empty text when there is none.',
    ['{{ get (dict "a" 1) "a" }}', '1'],
  ),
  set: entry(
    withArguments([map, readTextArgument, readAnyArgument], ([given, key, value], context) =>
      copyMap(given, context, () => ({ ...given, [key]: value })),
    ),
    'set map key value',
    'The map with this value under the key. A variable as the first argument is updated.',
    ['{{ $m := dict "a" 1 }}{{ $_ := set $m "b" 2 }}{{ $m | toJson }}', '{"a":1,"b":2}'],
  ),
  unset: entry(
    withArguments([map, readTextArgument], ([given, key], context) =>
      copyMap(given, context, () =>
        createMap(Object.entries(given).filter(([name]) => name !== key)),
      ),
    ),
    'unset map key',
    'The map without the key. A variable as the first argument is updated.',
    ['{{ $m := dict "a" 1 "b" 2 }}{{ $_ := unset $m "b" }}{{ $m | toJson }}', '{"a":1}'],
  ),
  hasKey: entry(
    withArguments([map, readTextArgument], ([given, key]) => Object.hasOwn(given, key)),
    'hasKey map key',
    'Whether a map has the key.',
    ['{{ hasKey (dict "a" 1) "a" }}', 'true'],
  ),
  pluck: entry(
    withArguments([readTextArgument], ([key], context, more) => {
      const maps = readRest(map, more, 1);
      if (maps instanceof FunctionFailure) return maps;
      return listMapItems(maps, context, (given) =>
        Object.hasOwn(given, key) ? [given[key] ?? null] : [],
      );
    }),
    'pluck key map…',
    'The values that the maps have under a key.',
    ['{{ pluck "a" (dict "a" 1) (dict "b" 2) (dict "a" 3) }}', '[1,3]'],
  ),
  dig: entry(
    dig,
    'dig key… fallback map',
    'The value that a chain of keys leads to, or the fallback when a key is missing.',
    ['{{ dig "a" "b" "none" (dict "a" (dict "b" 1)) }}', '1'],
  ),
  keys: entry(
    withAllArguments(map, (maps, context) =>
      listMapItems(maps, context, (given) => listSortedKeys(given, context.spend)),
    ),
    'keys map…',
    'The keys of all maps, of every map in order.',
    ['{{ keys (dict "b" 1 "a" 2) }}', '["a","b"]'],
  ),
  values: entry(
    withArguments([map], ([given], context) =>
      listMapItems([given], context, () =>
        listSortedKeys(given, context.spend)?.map((key) => given[key] ?? null),
      ),
    ),
    'values map',
    'The values of a map, in the order of its keys.',
    ['{{ values (dict "b" 1 "a" 2) }}', '[2,1]'],
  ),
  pick: entry(
    createKeyFilter((isNamed) => isNamed),
    'pick map key…',
    'A map of only these keys.',
    ['{{ pick (dict "a" 1 "b" 2) "a" | toJson }}', '{"a":1}'],
  ),
  omit: entry(
    createKeyFilter((isNamed) => !isNamed),
    'omit map key…',
    'A map without these keys.',
    ['{{ omit (dict "a" 1 "b" 2) "a" | toJson }}', '{"b":2}'],
  ),
  ...withMustNames({ merge, mergeOverwrite, deepCopy }),
  deepEqual: entry(
    withArguments([readAnyArgument, readAnyArgument], ([left, right], context) => {
      const one = formatIdentityKey(left, context);
      const other = formatIdentityKey(right, context);
      if (one instanceof FunctionFailure) return one;
      return other instanceof FunctionFailure ? other : one === other;
    }),
    'deepEqual value value',
    'Whether two values are equal all the way down.',
    ['{{ deepEqual (list 1 2) (list 1 2) }}', 'true'],
  ),
} satisfies FunctionEntries;
