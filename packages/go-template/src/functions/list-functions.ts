import {
  type FunctionContext,
  FunctionFailure,
  isTrue,
  type TemplateFunction,
  type TemplateValue,
} from '../values/template-value.ts';
import {
  readAnyArgument,
  createEntryFactory,
  type FunctionEntries,
  list,
  makeWithinBudget,
  readRest,
  createAlias,
  createBudgetFailure,
  readWholeArgument,
  withAllArguments,
  withArguments,
  withMustNames,
} from './definition.ts';
import { formatIdentityKey } from './json-functions.ts';

/** Copying an item: its place in a list. */
const UNITS_PER_COPIED = 8;
/** Comparing an item with others, in addition to writing its identity. */
const UNITS_PER_COMPARED = 32;

/** The items of a list. */
export type Items = readonly TemplateValue[];

/** Returns a function that derives a list from a list and charges its length. */
const createListFunction = (
  change: (items: Items, more: Items, context: FunctionContext) => TemplateValue | FunctionFailure,
  unitsPerItem = UNITS_PER_COPIED,
): TemplateFunction =>
  withArguments([list], ([items], context, more) =>
    makeWithinBudget(context, unitsPerItem * (items.length + 1), () =>
      change(items, more, context),
    ),
  );

/** Returns the identities of all items; equal items share one. */
const listIdentities = (
  items: Items,
  context: FunctionContext,
): readonly string[] | FunctionFailure => {
  const texts: string[] = [];
  if (!context.spend(UNITS_PER_COMPARED * items.length)) return createBudgetFailure();
  for (const item of items) {
    const identity = formatIdentityKey(item, context);
    if (identity instanceof FunctionFailure) return identity;
    texts.push(identity);
  }
  return texts;
};

/** Returns the items without those equal to an earlier one. */
const withoutRepeats = (items: Items, context: FunctionContext): Items | FunctionFailure => {
  const keys = listIdentities(items, context);
  if (keys instanceof FunctionFailure) return keys;
  const seen = new Set<string>();
  return items.filter((_, index) => {
    const key = keys[index] ?? '';
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

const withoutItems = (
  items: Items,
  left: Items,
  context: FunctionContext,
): Items | FunctionFailure => {
  const keys = listIdentities(items, context);
  const leftKeys = listIdentities(left, context);
  if (keys instanceof FunctionFailure) return keys;
  if (leftKeys instanceof FunctionFailure) return leftKeys;
  const dropped = new Set(leftKeys);
  return items.filter((_, index) => !dropped.has(keys[index] ?? ''));
};

/** Returns whether a list has an item that equals the value. */
const hasItem = (
  items: Items,
  value: TemplateValue,
  context: FunctionContext,
): boolean | FunctionFailure => {
  const wanted = formatIdentityKey(value, context);
  const keys = listIdentities(items, context);
  if (wanted instanceof FunctionFailure) return wanted;
  return keys instanceof FunctionFailure ? keys : keys.includes(wanted);
};

/** Returns the items in lists of `size`, the last one maybe shorter. */
const splitChunks = (items: Items, size: number): readonly Items[] | FunctionFailure => {
  if (size < 1) return new FunctionFailure(`cannot make parts of ${size} items`);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
};

/** Returns the items from `start` up to `end`, both inside the list. */
const takeItems = (items: Items, start: number, end: number): Items | FunctionFailure => {
  if (start >= 0 && start <= end && end <= items.length) return items.slice(start, end);
  return new FunctionFailure(
    `cannot take the items from ${start} up to ${end} of a list of ${items.length}`,
  );
};

const entry = createEntryFactory('Lists');

/** Testing whether an item is empty. */
const UNITS_PER_TESTED = 32;
/** A list of its own for some of the items. */
const UNITS_PER_CHUNK = 32;

const listFunction = entry(
  withAllArguments(readAnyArgument, (values) => values),
  'list value…',
  'A list of the values.',
  ['{{ list 1 "a" true | toJson }}', '[1,"a",true]'],
);

const first = entry(
  withArguments([list], ([items]) => items[0] ?? null),
  'first list',
  'The first item, or null.',
  ['{{ first (list 1 2 3) }}', '1'],
);
const last = entry(
  withArguments([list], ([items]) => items.at(-1) ?? null),
  'last list',
  'The last item, or null.',
  ['{{ last (list 1 2 3) }}', '3'],
);
const rest = entry(
  createListFunction((items) => items.slice(1)),
  'rest list',
  'All items but the first.',
  ['{{ rest (list 1 2 3) }}', '[2,3]'],
);
const initial = entry(
  createListFunction((items) => items.slice(0, -1)),
  'initial list',
  'All items but the last.',
  ['{{ initial (list 1 2 3) }}', '[1,2]'],
);
const append = entry(
  createListFunction((items, more) => [...items, ...more]),
  'append list value',
  'A list with one more item at the end.',
  ['{{ append (list 1 2) 3 }}', '[1,2,3]'],
);
const prepend = entry(
  createListFunction((items, more) => [...more, ...items]),
  'prepend list value',
  'A list with one more item at the beginning.',
  ['{{ prepend (list 2 3) 1 }}', '[1,2,3]'],
);
const reverse = entry(
  createListFunction((items) => [...items].reverse()),
  'reverse list',
  'The items in reverse order.',
  ['{{ reverse (list 1 2 3) }}', '[3,2,1]'],
);
const compact = entry(
  createListFunction((items) => items.filter(isTrue), UNITS_PER_TESTED),
  'compact list',
  'Without empty items.',
  ['{{ compact (list 1 "" "a" 0) }}', '[1,"a"]'],
);
const uniq = entry(
  createListFunction((items, _more, context) => withoutRepeats(items, context), UNITS_PER_COMPARED),
  'uniq list',
  'Without items that equal an earlier one.',
  ['{{ uniq (list 1 2 1) }}', '[1,2]'],
);
const without = entry(
  createListFunction(
    (items, more, context) => withoutItems(items, more, context),
    UNITS_PER_COMPARED,
  ),
  'without list value…',
  'Without the items that equal one of the values.',
  ['{{ without (list 1 2 3) 2 }}', '[1,3]'],
);
const has = entry(
  withArguments([readAnyArgument, readAnyArgument], ([value, items], context) => {
    if (items === null) return false;
    const lists = readRest(list, [items], 1);
    return lists instanceof FunctionFailure ? lists : hasItem(lists[0] ?? [], value, context);
  }),
  'has value list',
  'Whether an item equals the value. Null has no items.',
  ['{{ has 4 (list 1 2 4) }}', 'true'],
);
const chunk = entry(
  withArguments([readWholeArgument, list], ([size, items], context) =>
    makeWithinBudget(
      context,
      items.length + UNITS_PER_CHUNK * Math.ceil(items.length / Math.max(1, size)),
      () => splitChunks(items, size),
    ),
  ),
  'chunk size list',
  'The items in lists of so many.',
  ['{{ chunk 2 (list 1 2 3) }}', '[[1,2],[3]]'],
);
const slice = entry(
  createListFunction((items, more) => {
    const bounds = readRest(readWholeArgument, more, 1);
    if (bounds instanceof FunctionFailure) return bounds;
    // As in Sprig, an empty list has every part.
    if (items.length === 0) return items;
    const [start = 0, end = items.length] = bounds;
    return takeItems(items, start, end);
  }),
  'mustSlice list [start [end]]',
  'The items from a position up to another.',
  ['{{ mustSlice (list 1 2 3) 1 }}', '[2,3]'],
);

const concat = entry(
  withAllArguments(list, (lists, context) => {
    const length = lists.reduce((sum, items) => sum + items.length, 0);
    return makeWithinBudget(context, length, () => lists.reduce<TemplateValue[]>(addItems, []));
  }),
  'concat list…',
  'The items of all lists in one.',
  ['{{ concat (list 1) (list 2 3) }}', '[1,2,3]'],
);

const addItems = (all: TemplateValue[], items: readonly TemplateValue[]): TemplateValue[] => {
  for (const item of items) all.push(item);
  return all;
};

/** Functions on lists. None changes its argument. */
export const listFunctions = {
  list: listFunction,
  tuple: createAlias(listFunction, 'list', 'tuple'),
  ...withMustNames({
    first,
    last,
    rest,
    initial,
    append,
    prepend,
    reverse,
    compact,
    uniq,
    without,
    has,
    chunk,
  }),
  push: createAlias(append, 'append', 'push'),
  mustPush: createAlias(append, 'append', 'mustPush'),
  concat,
  mustSlice: slice,
} satisfies FunctionEntries;
