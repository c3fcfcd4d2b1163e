import {
  type FunctionContext,
  FunctionFailure,
  isList,
  createMap,
  sortTexts,
  type TemplateMap,
  type TemplateValue,
} from '../values/template-value.ts';
import {
  readAnyArgument,
  computeCountUnits,
  countOccurrences,
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  computeSearchUnits,
  readTextArgument,
  createBudgetFailure,
  readWholeArgument,
  withArguments,
} from './definition.ts';
import { joinTexts, listValueTexts } from './print.ts';

const entry = createEntryFactory('Texts and lists');

const toList = (value: TemplateValue): readonly TemplateValue[] =>
  isList(value) ? value : [value];

/** A map key for each part costs far more than the part. */
const UNITS_PER_KEY = 128;

/** Parts by position, under the keys `_0`, `_1` and so on. */
const toPositionMap = (
  parts: readonly string[] | FunctionFailure,
  context: FunctionContext,
): TemplateMap | FunctionFailure =>
  parts instanceof FunctionFailure
    ? parts
    : makeWithinBudget(context, UNITS_PER_KEY * parts.length, () =>
        createMap(parts.map((part, index) => [`_${index}`, part])),
      );

/** A part is a text and a place in a list. */
const UNITS_PER_PART = 16;
/** The characters of a text are its smallest parts. */
const UNITS_PER_CHARACTER = 8;

/** Splits a text; an empty separator splits between all characters. */
const listParts = (
  separator: string,
  value: string,
  context: FunctionContext,
): string[] | FunctionFailure => {
  if (separator === '') {
    return makeWithinBudget(context, UNITS_PER_CHARACTER * value.length, () => Array.from(value));
  }
  // The text is searched once to count the parts, and again to split it.
  const searching = computeSearchUnits(value, separator);
  if (!context.spend(searching + computeCountUnits(value))) return createBudgetFailure();
  return makeWithinBudget(context, UNITS_PER_PART * (countOccurrences(value, separator) + 1), () =>
    value.split(separator),
  );
};

/** Returns at most `most` parts, the rest in the last one; a negative number means all, 0 none. */
const limitParts = (
  { separator, most }: { readonly separator: string; readonly most: number },
  value: string,
  context: FunctionContext,
): string[] | FunctionFailure => {
  const parts = listParts(separator, value, context);
  if (parts instanceof FunctionFailure) return parts;
  if (most === 0) return [];
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
};

export const textListFunctions = {
  join: entry(
    withArguments([readTextArgument, readAnyArgument], ([separator, values], context) => {
      const texts = listValueTexts(toList(values), context);
      return texts instanceof FunctionFailure ? texts : joinTexts(texts, separator, context);
    }),
    'join separator list',
    'The values of a list as one text, with a separator between them. Nulls are left out.',
    ['{{ join "-" (list 1 2 3) }}', '1-2-3'],
  ),
  toStrings: entry(
    withArguments([readAnyArgument], ([values], context) =>
      listValueTexts(toList(values), context),
    ),
    'toStrings list',
    'The values of a list as texts. Nulls are left out.',
    ['{{ toStrings (list 1 true) | toJson }}', '["1","true"]'],
  ),
  sortAlpha: entry(
    withArguments([readAnyArgument], ([values], context) => {
      const texts = listValueTexts(toList(values), context);
      if (texts instanceof FunctionFailure) return texts;
      return sortTexts(texts, context.spend) ?? createBudgetFailure();
    }),
    'sortAlpha list',
    'The values of a list as texts, in order.',
    ['{{ sortAlpha (list "c" "a" "b") }}', '["a","b","c"]'],
  ),
  split: entry(
    withArguments([readTextArgument, readTextArgument], ([separator, value], context) =>
      toPositionMap(listParts(separator, value, context), context),
    ),
    'split separator text',
    'The parts of a text as a map with the keys `_0`, `_1` and so on.',
    ['{{ $parts := split "/" "a/b" }}{{ $parts._1 }}', 'b'],
  ),
  splitn: entry(
    withArguments(
      [readTextArgument, readWholeArgument, readTextArgument],
      ([separator, most, value], context) =>
        toPositionMap(limitParts({ separator, most }, value, context), context),
    ),
    'splitn separator count text',
    'The same as `split`, with at most so many parts.',
    ['{{ $parts := splitn "/" 2 "a/b/c" }}{{ $parts._1 }}', 'b/c'],
  ),
  splitList: entry(
    withArguments([readTextArgument, readTextArgument], ([separator, value], context) =>
      listParts(separator, value, context),
    ),
    'splitList separator text',
    'The parts of a text as a list.',
    ['{{ splitList "/" "a/b" }}', '["a","b"]'],
  ),
} satisfies FunctionEntries;
