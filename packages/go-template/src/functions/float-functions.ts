import {
  type FunctionContext,
  FunctionFailure,
  type TemplateFunction,
  type TemplateValue,
} from '../values/template-value.ts';
import {
  readAnyArgument,
  createEntryFactory,
  type FunctionEntries,
  createBudgetFailure,
  readWholeArgument,
  withAllArguments,
  withArguments,
} from './definition.ts';
import { toPlainNumber } from './read-number.ts';

/** A decimal number: `digits` divided by a power of ten. Sums and products are exact. */
export interface Decimal {
  readonly digits: bigint;
  /** The number of digits after the decimal point; negative for trailing zeros. */
  readonly scale: number;
}

/** Digits behind the point of a quotient. */
const QUOTIENT_SCALE = 16;

const computeDecimalPower = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Returns the shortest decimal that represents this number. */
const toDecimal = (value: number): Decimal => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [before = '0', behind = ''] = mantissa.split('.');
  return { digits: BigInt(before + behind), scale: behind.length - Number(exponent) };
};

/** Returns the number that is nearest to a decimal. */
const fromDecimal = ({ digits, scale }: Decimal): number => Number(`${digits}e${-scale}`);

const changeScale = ({ digits, scale }: Decimal, wanted: number): bigint =>
  digits * computeDecimalPower(wanted - scale);

/** Returns the exact sum. */
const computeSum = (left: Decimal, right: Decimal): Decimal => {
  const scale = Math.max(left.scale, right.scale);
  return { digits: changeScale(left, scale) + changeScale(right, scale), scale };
};

/** Returns the exact difference. */
const computeDifference = (left: Decimal, right: Decimal): Decimal =>
  computeSum(left, { digits: -right.digits, scale: right.scale });

/** Returns the exact product. */
const computeProduct = (left: Decimal, right: Decimal): Decimal => ({
  digits: left.digits * right.digits,
  scale: left.scale + right.scale,
});

const computeMagnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Returns the quotient with sixteen digits behind the point, rounded half away from zero. The divisor is not zero. */
const computeQuotient = (left: Decimal, right: Decimal): Decimal => {
  const shift = QUOTIENT_SCALE - left.scale + right.scale;
  const upper = shift >= 0 ? left.digits * computeDecimalPower(shift) : left.digits;
  const lower = shift >= 0 ? right.digits : right.digits * computeDecimalPower(-shift);
  const rest = upper % lower;
  const away = computeMagnitude(rest) * 2n >= computeMagnitude(lower) ? 1n : 0n;
  const negative = upper < 0n !== lower < 0n;
  return { digits: upper / lower + (negative ? -away : away), scale: QUOTIENT_SCALE };
};

/** More digits than a number has on either side of the point. */
const MAX_PLACES = 300;

/**
 * Rounds a number to a number of decimal places; a negative number of places rounds before the point. A remainder of at least
 * `up` rounds away from zero.
 */
const applyRounding = (value: number, places: number, up: number): number | FunctionFailure => {
  if (Math.abs(places) > MAX_PLACES)
    return new FunctionFailure(`cannot round to ${places} places: at most ${MAX_PLACES}`);
  const power = 10 ** places;
  const moved = Math.abs(value) * power;
  const below = Math.floor(moved);
  const whole = moved - below >= up ? below + 1 : below;
  const result = (Math.sign(value) * whole) / power;
  // The number has fewer places than this.
  return Number.isFinite(result) ? result + 0 : value;
};

const entry = createEntryFactory('Numbers with fractions');

type Operation = (left: Decimal, right: Decimal) => Decimal | FunctionFailure;

/** Digits that one more number can bring. */
const DIGITS = 32;

const applyOperation = (
  values: readonly TemplateValue[],
  operation: Operation,
  context: FunctionContext,
): number | FunctionFailure => {
  const [first = 0, ...others] = values;
  let result = toDecimal(toPlainNumber(first));
  for (const [index, value] of others.entries()) {
    if (!context.spend(DIGITS * (index + 1) + Math.abs(result.scale))) return createBudgetFailure();
    const next = operation(result, toDecimal(toPlainNumber(value)));
    if (next instanceof FunctionFailure) return next;
    result = next;
  }
  const number = fromDecimal(result);
  return Number.isFinite(number) ? number + 0 : new FunctionFailure('the result is too large');
};

const createArithmeticFunction = (operation: Operation): TemplateFunction =>
  withAllArguments(readAnyArgument, (values, context) =>
    applyOperation(values, operation, context),
  );

const divide: Operation = (left, right) =>
  right.digits === 0n ? new FunctionFailure('cannot divide by zero') : computeQuotient(left, right);

const createChoiceFunction = (choose: (...numbers: number[]) => number): TemplateFunction =>
  withAllArguments(readAnyArgument, (values) =>
    values.map(toPlainNumber).reduce((left, right) => choose(left, right)),
  );

/** Arithmetic with decimals: `addf 0.1 0.2` is 0.3. */
export const floatFunctions = {
  addf: entry(createArithmeticFunction(computeSum), 'addf number…', 'The exact sum of decimals.', [
    '{{ addf 0.1 0.2 }}',
    '0.3',
  ]),
  add1f: entry(
    withArguments([readAnyArgument], ([value], context) =>
      applyOperation([value, 1], computeSum, context),
    ),
    'add1f number',
    'One more.',
    ['{{ add1f 3.4 }}', '4.4'],
  ),
  subf: entry(
    createArithmeticFunction(computeDifference),
    'subf number less…',
    'The exact difference of decimals.',
    ['{{ subf 4.5 1 3 }}', '0.5'],
  ),
  mulf: entry(
    createArithmeticFunction(computeProduct),
    'mulf number…',
    'The exact product of decimals.',
    ['{{ mulf 1.1 1.1 }}', '1.21'],
  ),
  divf: entry(
    createArithmeticFunction(divide),
    'divf number by…',
    'The quotient, with up to sixteen digits behind the point. Dividing by zero fails.',
    ['{{ divf 5 4 2 }}', '0.625'],
  ),
  maxf: entry(createChoiceFunction(Math.max), 'maxf number…', 'The largest of the numbers.', [
    '{{ maxf 1 2.5 2 }}',
    '2.5',
  ]),
  minf: entry(createChoiceFunction(Math.min), 'minf number…', 'The smallest of the numbers.', [
    '{{ minf 1.5 2 }}',
    '1.5',
  ]),
  ceil: entry(
    withArguments([readAnyArgument], ([value]) => Math.ceil(toPlainNumber(value)) + 0),
    'ceil number',
    'The next whole number that is not smaller.',
    ['{{ ceil 123.01 }}', '124'],
  ),
  floor: entry(
    withArguments([readAnyArgument], ([value]) => Math.floor(toPlainNumber(value)) + 0),
    'floor number',
    'The next whole number that is not larger.',
    ['{{ floor 123.99 }}', '123'],
  ),
  round: entry(
    withArguments([readAnyArgument, readWholeArgument], ([value, places], _context, [up = 0.5]) =>
      applyRounding(toPlainNumber(value), places, toPlainNumber(up)),
    ),
    'round number places [up]',
    'Rounded to so many digits behind the point. A rest of `up` or more, by default 0.5, counts as one.',
    ['{{ round 123.5555 3 }}', '123.556'],
  ),
} satisfies FunctionEntries;
