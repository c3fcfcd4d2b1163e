import {
  FunctionFailure,
  type TemplateFunction,
  type TemplateValue,
} from '../../values/template-value.ts';
import { anything, withArguments, withAllArguments } from '../definition/arguments.ts';
import { entryIn, sameAs, type FunctionEntries } from '../definition/function-entry.ts';
import { asWhole, exactWhole } from './read-number.ts';

const entry = entryIn('Whole numbers');

type Operation = (left: number, right: number) => number | FunctionFailure;

/** From left to right; every result has to be exact. */
const folded = (
  values: readonly TemplateValue[],
  operation: Operation,
  start?: number,
): number | FunctionFailure => {
  let result = start;
  for (const given of values) {
    const value = asWhole(given);
    if (value instanceof FunctionFailure) return value;
    const next = result === undefined ? value : operation(result, value);
    if (next instanceof FunctionFailure) return next;
    const exact = exactWhole(next);
    if (exact instanceof FunctionFailure) return exact;
    result = exact;
  }
  return result ?? 0;
};

const folding = (operation: Operation, start?: number): TemplateFunction =>
  withAllArguments(anything, (values) => folded(values, operation, start));

const add: Operation = (left, right) => left + right;

const dividing =
  (operation: (left: number, right: number) => number): Operation =>
  (left, right) =>
    right === 0 ? new FunctionFailure('cannot divide by zero') : operation(left, right);

const max = entry(folding(Math.max), 'max number…', 'The largest of the numbers.', [
  '{{ max 1 345 7 }}',
  '345',
]);

/** Arithmetic with whole numbers. Every argument is converted: `"3"` is 3 and 4.9 is 4. */
export const wholeFunctions = {
  add: entry(folding(add, 0), 'add number…', 'The sum.', ['{{ add 1 2 3 }}', '6']),
  add1: entry(
    withArguments([anything], ([value]) => folded([value, 1], add)),
    'add1 number',
    'One more.',
    ['{{ add1 3 }}', '4'],
  ),
  sub: entry(
    folding((left, right) => left - right),
    'sub number less',
    'The difference.',
    ['{{ sub 14 3 }}', '11'],
  ),
  mul: entry(
    folding((left, right) => left * right),
    'mul number…',
    'The product.',
    ['{{ mul 2 3 4 }}', '24'],
  ),
  div: entry(
    folding(dividing((left, right) => Math.trunc(left / right))),
    'div number by',
    'The quotient without its fraction. Dividing by zero fails.',
    ['{{ div 7 2 }}', '3'],
  ),
  mod: entry(
    folding(dividing((left, right) => left % right)),
    'mod number by',
    'What is left over by a division, with the sign of the first number.',
    ['{{ mod 7 2 }}', '1'],
  ),
  max,
  biggest: sameAs(max, 'max', 'biggest'),
  min: entry(folding(Math.min), 'min number…', 'The smallest of the numbers.', [
    '{{ min 3 1 2 }}',
    '1',
  ]),
} satisfies FunctionEntries;
