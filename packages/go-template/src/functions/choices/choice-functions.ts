import { isTrue } from '../../values/is-true.ts';
import { FunctionFailure, type TemplateValue } from '../../values/template-value.ts';
import { anything, flag, withArguments, withAllArguments, text } from '../definition/arguments.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';

const entry = entryIn('Defaults and choices');

/** Returns whether a value is empty: null, false, 0, and an empty text, list or map. A time is never empty. */
const isEmpty = (value: TemplateValue): boolean => !isTrue(value);

/** Functions that choose among values, and `fail`. */
export const choiceFunctions = {
  default: entry(
    withArguments([anything], ([fallback], _context, [given = null]) =>
      isEmpty(given) ? fallback : given,
    ),
    'default fallback value',
    'The value, or the fallback if the value is empty: null, false, 0, or an empty text, list or map. A reference to a missing key fails before: see `get` and `dig`.',
    ['{{ "" | default "none" }}', 'none'],
  ),
  empty: entry(
    withArguments([anything], ([value]) => isEmpty(value)),
    'empty value',
    'Whether a value is empty.',
    ['{{ empty 0 }}', 'true'],
  ),
  coalesce: entry(
    withAllArguments(anything, (values) => values.find(isTrue) ?? null),
    'coalesce value…',
    'The first value that is not empty, or null.',
    ['{{ coalesce 0 "" "third" }}', 'third'],
  ),
  all: entry(
    withAllArguments(anything, (values) => values.every(isTrue)),
    'all value…',
    'Whether no value is empty.',
    ['{{ all 1 "a" false }}', 'false'],
  ),
  any: entry(
    withAllArguments(anything, (values) => values.some(isTrue)),
    'any value…',
    'Whether some value is not empty.',
    ['{{ any 0 "" true }}', 'true'],
  ),
  ternary: entry(
    withArguments([anything, anything, flag], ([yes, no, test]) => (test ? yes : no)),
    'ternary yes no test',
    'The first value if the test is true, else the second.',
    ['{{ true | ternary "yes" "no" }}', 'yes'],
  ),
  fail: entry(
    withArguments([text], ([message]) => new FunctionFailure(message)),
    'fail message',
    'Fails the step with this message.',
    ['{{ if false }}{{ fail "no target" }}{{ end }}done', 'done'],
  ),
} satisfies FunctionEntries;
