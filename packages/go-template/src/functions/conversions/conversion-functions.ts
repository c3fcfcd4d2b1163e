import { GO_TYPES, kindOfValue, type ValueKind } from '../go/kind-of-value.ts';
import { FunctionFailure, type TemplateValue } from '../../values/template-value.ts';
import { anything, withArguments, text } from '../definition/arguments.ts';
import { entryIn, sameAs, type FunctionEntries } from '../definition/function-entry.ts';
import { asDecimalDigits, asNumber, asWhole } from '../numbers/read-number.ts';
import { printed } from '../go/sprint.ts';

const conversion = entryIn('Conversions');
const reflection = entryIn('Types');

const int = conversion(
  withArguments([anything], ([value]) => asWhole(value)),
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

const goKind = (value: TemplateValue): string => GO_KINDS[kindOfValue(value)];
const goType = (value: TemplateValue): string => GO_TYPES[kindOfValue(value)];

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
  int64: sameAs(int, 'int', 'int64'),
  float64: conversion(
    withArguments([anything], ([value]) => asNumber(value)),
    'float64 value',
    'The value as a number; what is no number is 0.',
    ['{{ float64 "1.5" }}', '1.5'],
  ),
  atoi: conversion(
    withArguments([text], ([value]) => asDecimalDigits(value, 10)),
    'atoi text',
    'A text of decimal digits as a whole number; any other text is 0.',
    ['{{ atoi "010" }}', '10'],
  ),
  toDecimal: conversion(
    withArguments([anything], ([value], context) => {
      const digits = printed(value, context);
      return digits instanceof FunctionFailure ? digits : asDecimalDigits(digits, 8);
    }),
    'toDecimal octal',
    'Octal digits, such as file modes, as a whole number; anything else is 0.',
    ['{{ toDecimal "777" }}', '511'],
  ),
  toString: conversion(
    withArguments([anything], ([value], context) => printed(value, context)),
    'toString value',
    'The value as it prints.',
    ['{{ toString 1.5 | quote }}', '"1.5"'],
  ),
  kindOf: reflection(
    withArguments([anything], ([value]) => goKind(value)),
    'kindOf value',
    'The kind of a value: `bool`, `float64`, `string`, `slice`, `map`, `struct` for a time, `invalid` for null.',
    ['{{ kindOf "a" }} {{ kindOf 1 }} {{ kindOf (list) }}', 'string float64 slice'],
  ),
  kindIs: reflection(
    withArguments([text, anything], ([name, value]) => isKind(name, value)),
    'kindIs kind value',
    'Whether a value is of this kind. Whole numbers are also `int` and `int64`.',
    ['{{ kindIs "int" 1 }}', 'true'],
  ),
  typeOf: reflection(
    withArguments([anything], ([value]) => goType(value)),
    'typeOf value',
    'The type of a value: as `kindOf`, but `[]interface {}`, `map[string]interface {}`, `time.Time` and `<nil>`.',
    ['{{ typeOf (list 1) }}', '[]interface {}'],
  ),
  typeIs: reflection(
    withArguments([text, anything], ([name, value]) => isType(name, value)),
    'typeIs type value',
    'Whether a value is of this type. Whole numbers are also `int` and `int64`.',
    ['{{ typeIs "string" "a" }}', 'true'],
  ),
  typeIsLike: reflection(
    withArguments([text, anything], ([name, value]) => isType(name, value)),
    'typeIsLike type value',
    'The same as `typeIs`.',
    ['{{ typeIsLike "string" "a" }}', 'true'],
  ),
} satisfies FunctionEntries;
