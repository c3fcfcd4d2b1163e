import type { FunctionContext, FunctionFailure } from '../../values/template-value.ts';
import { withArguments, withAllArguments, whole } from '../definition/arguments.ts';
import { makeWithinBudget } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';

const entry = entryIn('Ranges of numbers');

interface Steps {
  readonly start: number;
  /** Not included. */
  readonly stop: number;
  readonly step: number;
}

/** Returns undefined when the step does not lead to the end. */
const countOf = ({ start, stop, step }: Steps): number => {
  const towards = stop < start ? step < 0 : step > 0;
  return towards ? Math.ceil((stop - start) / step) : 0;
};

/** Producing a number of a list costs more than reading one. */
const UNITS_PER_NUMBER = 8;

const stepsOf = (steps: Steps, context: FunctionContext): number[] | FunctionFailure => {
  const count = countOf(steps);
  return makeWithinBudget(context, UNITS_PER_NUMBER * count, () =>
    Array.from({ length: count }, (_, index) => steps.start + index * steps.step),
  );
};

/**
 * Returns the numbers from the first to the last, both included. With two numbers the step is one; with three the second is the
 * step.
 */
const sequenceOf = (numbers: readonly number[]): Steps | undefined => {
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
  until: entry(
    withArguments([whole], ([stop], context) =>
      stepsOf({ start: 0, stop, step: stop < 0 ? -1 : 1 }, context),
    ),
    'until end',
    'The numbers from 0 up to an end that is not included.',
    ['{{ until 5 }}', '[0,1,2,3,4]'],
  ),
  untilStep: entry(
    withArguments([whole, whole, whole], ([start, stop, step], context) =>
      stepsOf({ start, stop, step }, context),
    ),
    'untilStep start end step',
    'The numbers from a start up to an end that is not included, with a step.',
    ['{{ untilStep 3 10 3 }}', '[3,6,9]'],
  ),
  seq: entry(
    withAllArguments(whole, (numbers, context) => {
      const steps = sequenceOf(numbers);
      if (steps === undefined) return '';
      return makeWithinBudget(context, PRINTED * countOf(steps), () => {
        const values = stepsOf(steps, context);
        return Array.isArray(values) ? values.join(' ') : values;
      });
    }),
    'seq [start [step]] end',
    'The numbers up to and including an end, as one text with spaces.',
    ['{{ seq 0 2 6 }}', '0 2 4 6'],
  ),
} satisfies FunctionEntries;
