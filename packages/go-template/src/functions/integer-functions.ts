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
  makeWithinBudget,
  createAlias,
  readWholeArgument,
  withAllArguments,
  withArguments,
} from './definition.ts';
import { toWhole, toExactWhole } from './read-number.ts';

const entry = createEntryFactory('Whole numbers');

type Operation = (left: number, right: number) => number | FunctionFailure;

/** From left to right; every result has to be exact. */
const applyOperation = (
  values: readonly TemplateValue[],
  operation: Operation,
  start?: number,
): number | FunctionFailure => {
  let result = start;
  for (const given of values) {
    const value = toWhole(given);
    if (value instanceof FunctionFailure) return value;
    const next = result === undefined ? value : operation(result, value);
    if (next instanceof FunctionFailure) return next;
    const exact = toExactWhole(next);
    if (exact instanceof FunctionFailure) return exact;
    result = exact;
  }
  return result ?? 0;
};

const createArithmeticFunction = (operation: Operation, start?: number): TemplateFunction =>
  withAllArguments(readAnyArgument, (values) => applyOperation(values, operation, start));

const add: Operation = (left, right) => left + right;

const createDivision =
  (operation: (left: number, right: number) => number): Operation =>
  (left, right) =>
    right === 0 ? new FunctionFailure('cannot divide by zero') : operation(left, right);

const max = entry(
  createArithmeticFunction(Math.max),
  'max number…',
  'The largest of the numbers.',
  ['{{ max 1 345 7 }}', '345'],
);

/** Arithmetic with whole numbers. Every argument is converted: `"3"` is 3 and 4.9 is 4. */
export const integerFunctions = {
  add: entry(createArithmeticFunction(add, 0), 'add number…', 'The sum.', ['{{ add 1 2 3 }}', '6']),
  add1: entry(
    withArguments([readAnyArgument], ([value]) => applyOperation([value, 1], add)),
    'add1 number',
    'One more.',
    ['{{ add1 3 }}', '4'],
  ),
  sub: entry(
    createArithmeticFunction((left, right) => left - right),
    'sub number less',
    'The difference.',
    ['{{ sub 14 3 }}', '11'],
  ),
  mul: entry(
    createArithmeticFunction((left, right) => left * right),
    'mul number…',
    'The product.',
    ['{{ mul 2 3 4 }}', '24'],
  ),
  div: entry(
    createArithmeticFunction(createDivision((left, right) => Math.trunc(left / right))),
    'div number by',
    'The quotient without its fraction. Dividing by zero fails.',
    ['{{ div 7 2 }}', '3'],
  ),
  mod: entry(
    createArithmeticFunction(createDivision((left, right) => left % right)),
    'mod number by',
    'What is left over by a division, with the sign of the first number.',
    ['{{ mod 7 2 }}', '1'],
  ),
  max,
  biggest: createAlias(max, 'max', 'biggest'),
  min: entry(createArithmeticFunction(Math.min), 'min number…', 'The smallest of the numbers.', [
    '{{ min 3 1 2 }}',
    '1',
  ]),
} satisfies FunctionEntries;

const rangeEntry = createEntryFactory('Ranges of numbers');

interface Steps {
  readonly start: number;
  /** Not included. */
  readonly stop: number;
  readonly step: number;
}

/** Returns undefined when the step does not lead to the end. */
const countSteps = ({ start, stop, step }: Steps): number => {
  const towards = stop < start ? step < 0 : step > 0;
  return towards ? Math.ceil((stop - start) / step) : 0;
};

/** Producing a number of a list costs more than reading one. */
const UNITS_PER_NUMBER = 8;

const listSteps = (steps: Steps, context: FunctionContext): number[] | FunctionFailure => {
  const count = countSteps(steps);
  return makeWithinBudget(context, UNITS_PER_NUMBER * count, () =>
    Array.from({ length: count }, (_, index) => steps.start + index * steps.step),
  );
};

/**
 * Returns the numbers from the first to the last, both included. With two numbers the step is one; with three the second is the
 * step.
 */
const resolveSequence = (numbers: readonly number[]): Steps | undefined => {
  const [first = 1, second, third] = numbers;
  if (numbers.length === 0 || numbers.length > 3) return undefined;
  const start = numbers.length === 1 ? 1 : first;
  const end = third ?? second ?? first;
  const direction = end < start ? -1 : 1;
  const step = third === undefined ? direction : (second ?? direction);
  return { start, stop: end + direction, step };
};

/** Room for the digits of a number and a space. */
const PRINTED = 17;

/** Functions that count. */
export const rangeFunctions = {
  until: rangeEntry(
    withArguments([readWholeArgument], ([stop], context) =>
      listSteps({ start: 0, stop, step: stop < 0 ? -1 : 1 }, context),
    ),
    'until end',
    'The numbers from 0 up to an end that is not included.',
    ['{{ until 5 }}', '[0,1,2,3,4]'],
  ),
  untilStep: rangeEntry(
    withArguments(
      [readWholeArgument, readWholeArgument, readWholeArgument],
      ([start, stop, step], context) => listSteps({ start, stop, step }, context),
    ),
    'untilStep start end step',
    'The same from a start, with a step.',
    ['{{ untilStep 3 10 3 }}', '[3,6,9]'],
  ),
  seq: rangeEntry(
    withAllArguments(readWholeArgument, (numbers, context) => {
      const steps = resolveSequence(numbers);
      if (steps === undefined) return '';
      return makeWithinBudget(context, PRINTED * countSteps(steps), () => {
        const values = listSteps(steps, context);
        return Array.isArray(values) ? values.join(' ') : values;
      });
    }),
    'seq [start [step]] end',
    'The numbers up to and including an end, as one text with spaces.',
    ['{{ seq 0 2 6 }}', '0 2 4 6'],
  ),
} satisfies FunctionEntries;
