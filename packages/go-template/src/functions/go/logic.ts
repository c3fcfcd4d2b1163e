import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import { isTrue } from '../../values/is-true.ts';
import type { TemplateFunction } from '../../values/template-value.ts';

/** The interpreter evaluates arguments of `and` and `or` one by one and stops early; the answer is the same. */
const untilTruthIs =
  (decides: boolean): TemplateFunction =>
  (args) =>
    args.find((value) => isTrue(value) === decides) ?? args.at(-1) ?? null;

const entry = entryIn('Logic');

/** Go's functions of logic. */
export const LOGIC_FUNCTIONS = {
  and: entry(
    untilTruthIs(false),
    'and value…',
    'The first value that is empty, or else the last one. Values after it are not evaluated.',
    ['{{ and true "yes" }}', 'yes'],
  ),
  or: entry(
    untilTruthIs(true),
    'or value…',
    'The first value that is not empty, or else the last one. Values after it are not evaluated.',
    ['{{ or "" "other" }}', 'other'],
  ),
  not: entry(
    ([value = null]) => !isTrue(value),
    'not value',
    'Whether the value is empty: false, 0, null, an empty text, list or map.',
    ['{{ not "" }}', 'true'],
  ),
} as const satisfies FunctionEntries;
