import {
  FunctionFailure,
  type FunctionContext,
  type TemplateFunction,
  type TemplateValue,
} from '../../values/template-value.ts';
import { list, withArguments } from '../definition/arguments.ts';
import { makeWithinBudget, tooLarge } from '../definition/budget.ts';
import { identityText } from '../json/write-json.ts';

/** Copying an item: its place in a list. */
const UNITS_PER_COPIED = 8;
/** Comparing an item with others, in addition to writing its identity. */
export const UNITS_PER_COMPARED = 32;

/** The items of a list. */
export type Items = readonly TemplateValue[];

/** Returns a function that derives a list from a list and charges its length. */
export const changingList = (
  change: (items: Items, more: Items, context: FunctionContext) => TemplateValue | FunctionFailure,
  unitsPerItem = UNITS_PER_COPIED,
): TemplateFunction =>
  withArguments([list], ([items], context, more) =>
    makeWithinBudget(context, unitsPerItem * (items.length + 1), () =>
      change(items, more, context),
    ),
  );

/** Returns the identities of all items; equal items share one. */
const identities = (
  items: Items,
  context: FunctionContext,
): readonly string[] | FunctionFailure => {
  const texts: string[] = [];
  if (!context.spend(UNITS_PER_COMPARED * items.length)) return tooLarge();
  for (const item of items) {
    const identity = identityText(item, context);
    if (identity instanceof FunctionFailure) return identity;
    texts.push(identity);
  }
  return texts;
};

/** Returns the items without those equal to an earlier one. */
export const withoutRepeats = (items: Items, context: FunctionContext): Items | FunctionFailure => {
  const keys = identities(items, context);
  if (keys instanceof FunctionFailure) return keys;
  const seen = new Set<string>();
  return items.filter((_, index) => {
    const key = keys[index] ?? '';
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/** Returns the items without those equal to one of `left`. */
export const withoutItems = (
  items: Items,
  left: Items,
  context: FunctionContext,
): Items | FunctionFailure => {
  const keys = identities(items, context);
  const leftKeys = identities(left, context);
  if (keys instanceof FunctionFailure) return keys;
  if (leftKeys instanceof FunctionFailure) return leftKeys;
  const dropped = new Set(leftKeys);
  return items.filter((_, index) => !dropped.has(keys[index] ?? ''));
};

/** Returns whether a list has an item that equals the value. */
export const hasItem = (
  items: Items,
  value: TemplateValue,
  context: FunctionContext,
): boolean | FunctionFailure => {
  const wanted = identityText(value, context);
  const keys = identities(items, context);
  if (wanted instanceof FunctionFailure) return wanted;
  return keys instanceof FunctionFailure ? keys : keys.includes(wanted);
};

/** Returns the items in lists of `size`, the last one maybe shorter. */
export const chunks = (items: Items, size: number): readonly Items[] | FunctionFailure => {
  if (size < 1) return new FunctionFailure(`cannot make parts of ${size} items`);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
};

/** Returns the items from `start` up to `end`, both inside the list. */
export const sliced = (items: Items, start: number, end: number): Items | FunctionFailure => {
  if (start >= 0 && start <= end && end <= items.length) return items.slice(start, end);
  return new FunctionFailure(
    `cannot take the items from ${start} up to ${end} of a list of ${items.length}`,
  );
};
