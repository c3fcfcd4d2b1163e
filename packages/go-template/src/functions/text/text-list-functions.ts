import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../values/template-value.ts';
import { anything, withArguments, text, whole } from '../definition/arguments.ts';
import { makeWithinBudget } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import { joinTexts } from '../definition/join-texts.ts';
import { byCodePoints, isList, mapOf, type TemplateMap } from '../../values/template-map.ts';
import { valueTexts } from '../go/value-texts.ts';

const entry = entryIn('Texts and lists');

const listOf = (value: TemplateValue): readonly TemplateValue[] =>
  isList(value) ? value : [value];

/** A map key for each part costs far more than the part. */
const UNITS_PER_KEY = 128;

/** Parts by position, under the keys `_0`, `_1` and so on. */
const numbered = (
  parts: readonly string[],
  context: FunctionContext,
): TemplateMap | FunctionFailure =>
  makeWithinBudget(context, UNITS_PER_KEY * parts.length, () =>
    mapOf(parts.map((part, index) => [`_${index}`, part])),
  );

/** An empty separator splits between all characters. */
const partsOf = (separator: string, value: string): string[] =>
  separator === '' ? Array.from(value) : value.split(separator);

/** Returns at most `most` parts, the rest in the last one; a negative number means all, 0 none. */
const firstParts = (separator: string, most: number, value: string): string[] => {
  const parts = partsOf(separator, value);
  if (most === 0) return [];
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
};

/** Functions between a text and a list of texts. */
export const textListFunctions = {
  join: entry(
    withArguments([text, anything], ([separator, values], context) => {
      const texts = valueTexts(listOf(values), context);
      return texts instanceof FunctionFailure ? texts : joinTexts(texts, separator, context);
    }),
    'join separator list',
    'The values of a list as one text, with a separator between them. Nulls are left out.',
    ['{{ join "-" (list 1 2 3) }}', '1-2-3'],
  ),
  toStrings: entry(
    withArguments([anything], ([values], context) => valueTexts(listOf(values), context)),
    'toStrings list',
    'The values of a list as texts. Nulls are left out.',
    ['{{ toStrings (list 1 true) | toJson }}', '["1","true"]'],
  ),
  sortAlpha: entry(
    withArguments([anything], ([values], context) => {
      const texts = valueTexts(listOf(values), context);
      if (texts instanceof FunctionFailure) return texts;
      const comparisons = texts.length * Math.ceil(Math.log2(texts.length + 1));
      return makeWithinBudget(context, comparisons, () => texts.sort(byCodePoints));
    }),
    'sortAlpha list',
    'The values of a list as texts, in order.',
    ['{{ sortAlpha (list "c" "a" "b") }}', '["a","b","c"]'],
  ),
  split: entry(
    withArguments([text, text], ([separator, value], context) =>
      makeWithinBudget(context, value.length, () => numbered(partsOf(separator, value), context)),
    ),
    'split separator text',
    'The parts of a text as a map with the keys `_0`, `_1` and so on.',
    ['{{ $parts := split "/" "a/b" }}{{ $parts._1 }}', 'b'],
  ),
  splitn: entry(
    withArguments([text, whole, text], ([separator, most, value], context) =>
      makeWithinBudget(context, value.length, () =>
        numbered(firstParts(separator, most, value), context),
      ),
    ),
    'splitn separator count text',
    'The same as `split`, with at most so many parts.',
    ['{{ $parts := splitn "/" 2 "a/b/c" }}{{ $parts._1 }}', 'b/c'],
  ),
  splitList: entry(
    withArguments([text, text], ([separator, value], context) =>
      makeWithinBudget(context, value.length, () => partsOf(separator, value)),
    ),
    'splitList separator text',
    'The parts of a text as a list.',
    ['{{ splitList "/" "a/b" }}', '["a","b"]'],
  ),
} satisfies FunctionEntries;
