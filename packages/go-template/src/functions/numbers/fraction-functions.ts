import {
  FunctionFailure,
  type FunctionContext,
  type TemplateFunction,
  type TemplateValue,
} from '../../values/template-value.ts';
import { anything, withArguments, withAllArguments, whole } from '../definition/arguments.ts';
import { tooLarge } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import {
  decimalOf,
  difference,
  numberOf,
  product,
  quotient,
  sum,
  type Decimal,
} from './decimal.ts';
import { asNumber } from './read-number.ts';
import { rounded } from './round.ts';

const entry = entryIn('Numbers with fractions');

type Operation = (left: Decimal, right: Decimal) => Decimal | FunctionFailure;

/** Digits that one more number can bring. */
const DIGITS = 32;

const folded = (
  values: readonly TemplateValue[],
  operation: Operation,
  context: FunctionContext,
): number | FunctionFailure => {
  const [first = 0, ...others] = values;
  let result = decimalOf(asNumber(first));
  for (const [index, value] of others.entries()) {
    if (!context.spend(DIGITS * (index + 1) + Math.abs(result.scale))) return tooLarge();
    const next = operation(result, decimalOf(asNumber(value)));
    if (next instanceof FunctionFailure) return next;
    result = next;
  }
  const number = numberOf(result);
  return Number.isFinite(number) ? number + 0 : new FunctionFailure('the result is too large');
};

const folding = (operation: Operation): TemplateFunction =>
  withAllArguments(anything, (values, context) => folded(values, operation, context));

const divide: Operation = (left, right) =>
  right.digits === 0n ? new FunctionFailure('cannot divide by zero') : quotient(left, right);

const choosing = (choose: (...numbers: number[]) => number): TemplateFunction =>
  withAllArguments(anything, (values) =>
    values.map(asNumber).reduce((left, right) => choose(left, right)),
  );

/** Arithmetic with decimals: `addf 0.1 0.2` is 0.3. */
export const fractionFunctions = {
  addf: entry(folding(sum), 'addf number…', 'The exact sum of decimals.', [
    '{{ addf 0.1 0.2 }}',
    '0.3',
  ]),
  add1f: entry(
    withArguments([anything], ([value], context) => folded([value, 1], sum, context)),
    'add1f number',
    'One more.',
    ['{{ add1f 3.4 }}', '4.4'],
  ),
  subf: entry(folding(difference), 'subf number less…', 'The exact difference of decimals.', [
    '{{ subf 4.5 1 3 }}',
    '0.5',
  ]),
  mulf: entry(folding(product), 'mulf number…', 'The exact product of decimals.', [
    '{{ mulf 1.1 1.1 }}',
    '1.21',
  ]),
  divf: entry(
    folding(divide),
    'divf number by…',
    'The quotient, with up to sixteen digits behind the point. Dividing by zero fails.',
    ['{{ divf 5 4 2 }}', '0.625'],
  ),
  maxf: entry(choosing(Math.max), 'maxf number…', 'The largest of the numbers.', [
    '{{ maxf 1 2.5 2 }}',
    '2.5',
  ]),
  minf: entry(choosing(Math.min), 'minf number…', 'The smallest of the numbers.', [
    '{{ minf 1.5 2 }}',
    '1.5',
  ]),
  ceil: entry(
    withArguments([anything], ([value]) => Math.ceil(asNumber(value)) + 0),
    'ceil number',
    'The next whole number that is not smaller.',
    ['{{ ceil 123.01 }}', '124'],
  ),
  floor: entry(
    withArguments([anything], ([value]) => Math.floor(asNumber(value)) + 0),
    'floor number',
    'The next whole number that is not larger.',
    ['{{ floor 123.99 }}', '123'],
  ),
  round: entry(
    withArguments([anything, whole], ([value, places], _context, [up = 0.5]) =>
      rounded(asNumber(value), places, asNumber(up)),
    ),
    'round number places [up]',
    'Rounded to so many digits behind the point. A rest of `up` or more, by default 0.5, counts as one.',
    ['{{ round 123.5555 3 }}', '123.556'],
  ),
} satisfies FunctionEntries;
