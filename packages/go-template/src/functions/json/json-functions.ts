import { FunctionFailure } from '../../values/template-value.ts';
import { anything, withArguments, text } from '../definition/arguments.ts';
import { makeWithinBudget } from '../definition/budget.ts';
import { entryIn, sameAs, type FunctionEntries } from '../definition/function-entry.ts';
import { readJson } from './read-json.ts';
import { COMPACT, jsonText, PRETTY, RAW, type JsonStyle } from './write-json.ts';

const entry = entryIn('JSON');

/** Preparing a parser, and its error for a text that is not JSON. */
const UNITS_PER_CALL = 256;
/** Parsing a character: an empty list of two characters takes up to 64 bytes. */
const UNITS_PER_PARSED = 24;

const writing = (style: JsonStyle) =>
  withArguments([anything], ([value], context) => jsonText(value, style, context));

const toJson = entry(
  writing(COMPACT),
  'toJson value',
  'The value as JSON on one line, keys in order, with `<`, `>` and `&` as escapes.',
  ['{{ dict "b" 1 "a" "<" | toJson }}', '{"a":"\\u003c","b":1}'],
);
const toRawJson = entry(
  writing(RAW),
  'toRawJson value',
  'The value as JSON on one line, keys in order, with all characters as they are.',
  ['{{ dict "b" 1 "a" "<" | toRawJson }}', '{"a":"<","b":1}'],
);
const toPrettyJson = entry(
  writing(PRETTY),
  'toPrettyJson value',
  'The value as JSON on many lines.',
  ['{{ dict "a" (list 1) | toPrettyJson }}', '{\n  "a": [\n    1\n  ]\n}'],
);

/** Functions between values and JSON. */
export const jsonFunctions = {
  toJson,
  mustToJson: sameAs(toJson, 'toJson', 'mustToJson'),
  toRawJson,
  mustToRawJson: sameAs(toRawJson, 'toRawJson', 'mustToRawJson'),
  toPrettyJson,
  mustToPrettyJson: sameAs(toPrettyJson, 'toPrettyJson', 'mustToPrettyJson'),
  fromJson: entry(
    withArguments([text], ([value], context) =>
      makeWithinBudget(context, UNITS_PER_CALL + UNITS_PER_PARSED * value.length, () => {
        const read = readJson(value);
        return read instanceof FunctionFailure ? null : read;
      }),
    ),
    'fromJson text',
    'The value of a text in JSON, or null when it is not JSON.',
    ['{{ $value := fromJson `{"a":[1,2]}` }}{{ index $value.a 1 }}', '2'],
  ),
  mustFromJson: entry(
    withArguments([text], ([value], context) =>
      makeWithinBudget(context, UNITS_PER_CALL + UNITS_PER_PARSED * value.length, () =>
        readJson(value),
      ),
    ),
    'mustFromJson text',
    'The value of a text in JSON. Fails when it is not JSON.',
    ['{{ mustFromJson "[1,2]" | last }}', '2'],
  ),
} satisfies FunctionEntries;
