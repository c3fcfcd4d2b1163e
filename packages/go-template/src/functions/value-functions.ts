import { FunctionFailure, isTrue, type TemplateValue } from '../values/template-value.ts';
import {
  readAnyArgument,
  createEntryFactory,
  readFlagArgument,
  type FunctionEntries,
  GO_TYPES,
  resolveValueKind,
  createAlias,
  readTextArgument,
  type ValueKind,
  withAllArguments,
  withArguments,
} from './definition.ts';
import { parseDigits, toPlainNumber, toWhole } from './read-number.ts';
import { formatTemplateValue } from './print.ts';

const entry = createEntryFactory('Defaults and choices');

/** Returns whether a value is empty: null, false, 0, and an empty text, list or map. A time is never empty. */
const isEmpty = (value: TemplateValue): boolean => !isTrue(value);

/** Functions that choose among values, and `fail`. */
export const choiceFunctions = {
  default: entry(
    withArguments([readAnyArgument], ([fallback], _context, [given = null]) =>
      isEmpty(given) ? fallback : given,
    ),
    'default fallback value',
    'The value, or the fallback if it is empty. A missing key fails before: see `get` and `dig`.',
    ['{{ "" | default "none" }}', 'none'],
  ),
  empty: entry(
    withArguments([readAnyArgument], ([value]) => isEmpty(value)),
    'empty value',
    'Whether a value is empty.',
    ['{{ empty 0 }}', 'true'],
  ),
  coalesce: entry(
    withAllArguments(readAnyArgument, (values) => values.find(isTrue) ?? null),
    'coalesce value…',
    'The first value that is not empty, or null.',
    ['{{ coalesce 0 "" "third" }}', 'third'],
  ),
  all: entry(
    withAllArguments(readAnyArgument, (values) => values.every(isTrue)),
    'all value…',
    'Whether no value is empty.',
    ['{{ all 1 "a" false }}', 'false'],
  ),
  any: entry(
    withAllArguments(readAnyArgument, (values) => values.some(isTrue)),
    'any value…',
    'Whether some value is not empty.',
    ['{{ any 0 "" true }}', 'true'],
  ),
  ternary: entry(
    withArguments([readAnyArgument, readAnyArgument, readFlagArgument], ([yes, no, test]) =>
      test ? yes : no,
    ),
    'ternary yes no test',
    'The first value if the test is true, else the second.',
    ['{{ true | ternary "yes" "no" }}', 'yes'],
  ),
  fail: entry(
    withArguments([readTextArgument], ([message]) => new FunctionFailure(message)),
    'fail message',
    'Fails the step with this message.',
    ['{{ if false }}{{ fail "no target" }}{{ end }}done', 'done'],
  ),
} satisfies FunctionEntries;

const conversion = createEntryFactory('Conversions');
const reflection = createEntryFactory('Types');

const int = conversion(
  withArguments([readAnyArgument], ([value]) => toWhole(value)),
  'int value',
  'The value as a whole number: fractions are cut off, and what is no number is 0.',
  ['{{ int "12" }} {{ int 3.9 }} {{ int "x" }}', '12 3 0'],
);

const GO_KINDS: Readonly<Record<ValueKind, string>> = {
  bool: 'bool',
  list: 'slice',
  map: 'map',
  null: 'invalid',
  number: 'float64',
  string: 'string',
  time: 'struct',
};

const goKind = (value: TemplateValue): string => GO_KINDS[resolveValueKind(value)];
const goType = (value: TemplateValue): string => GO_TYPES[resolveValueKind(value)];

/** There is one kind of number, so a whole number also matches the names of Go's integer kinds. */
const isNamed =
  (nameOf: (value: TemplateValue) => string) =>
  (name: string, value: TemplateValue): boolean =>
    nameOf(value) === name || ((name === 'int' || name === 'int64') && Number.isInteger(value));

const isKind = isNamed(goKind);
const isType = isNamed(goType);

/** Functions that convert values, and functions that return the kind of a value. */
export const conversionFunctions = {
  int,
  int64: createAlias(int, 'int', 'int64'),
  float64: conversion(
    withArguments([readAnyArgument], ([value]) => toPlainNumber(value)),
    'float64 value',
    'The value as a number; what is no number is 0.',
    ['{{ float64 "1.5" }}', '1.5'],
  ),
  atoi: conversion(
    withArguments([readTextArgument], ([value]) => parseDigits(value, 10)),
    'atoi text',
    'A text of decimal digits as a whole number; any other text is 0.',
    ['{{ atoi "010" }}', '10'],
  ),
  toDecimal: conversion(
    withArguments([readAnyArgument], ([value], context) => {
      const digits = formatTemplateValue(value, context);
      return digits instanceof FunctionFailure ? digits : parseDigits(digits, 8);
    }),
    'toDecimal octal',
    'Octal digits, such as file modes, as a whole number; anything else is 0.',
    ['{{ toDecimal "777" }}', '511'],
  ),
  toString: conversion(
    withArguments([readAnyArgument], ([value], context) => formatTemplateValue(value, context)),
    'toString value',
    'The value as it prints.',
    ['{{ toString 1.5 | quote }}', '"1.5"'],
  ),
  kindOf: reflection(
    withArguments([readAnyArgument], ([value]) => goKind(value)),
    'kindOf value',
    'The kind of a value: `bool`, `float64`, `string`, `slice`, `map`, `struct` for a time, `invalid` for null.',
    ['{{ kindOf "a" }} {{ kindOf 1 }} {{ kindOf (list) }}', 'string float64 slice'],
  ),
  kindIs: reflection(
    withArguments([readTextArgument, readAnyArgument], ([name, value]) => isKind(name, value)),
    'kindIs kind value',
    'Whether it is this kind. Whole numbers are also `int` and `int64`.',
    ['{{ kindIs "int" 1 }}', 'true'],
  ),
  typeOf: reflection(
    withArguments([readAnyArgument], ([value]) => goType(value)),
    'typeOf value',
    'The type of a value: as `kindOf`, but `[]interface {}`, `map[string]interface {}`, `time.Time` and `<nil>`.',
    ['{{ typeOf (list 1) }}', '[]interface {}'],
  ),
  typeIs: reflection(
    withArguments([readTextArgument, readAnyArgument], ([name, value]) => isType(name, value)),
    'typeIs type value',
    'Whether it is this type. Whole numbers are also `int` and `int64`.',
    ['{{ typeIs "string" "a" }}', 'true'],
  ),
  typeIsLike: reflection(
    withArguments([readTextArgument, readAnyArgument], ([name, value]) => isType(name, value)),
    'typeIsLike type value',
    'The same as `typeIs`.',
    ['{{ typeIsLike "string" "a" }}', 'true'],
  ),
} satisfies FunctionEntries;
