import { spendReading, tooLarge } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import { byCodePoints } from '../../values/template-map.ts';
import {
  FunctionFailure,
  TemplateTime,
  type FunctionContext,
  type TemplateFunction,
  type TemplateValue,
} from '../../values/template-value.ts';
import { kindOfValue } from './kind-of-value.ts';

const INCOMPATIBLE = 'incompatible types for comparison';

const isContainer = (value: TemplateValue): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof TemplateTime);

const scalarOf = (value: TemplateValue): TemplateValue =>
  value instanceof TemplateTime ? value.ms : value;

const spent = (value: TemplateValue, context: FunctionContext): boolean =>
  typeof value !== 'string' || spendReading(context, value);

/** Returns whether two values are equal. Null equals null only; lists and maps cannot be compared. */
const areEqual = (left: TemplateValue, right: TemplateValue): boolean | FunctionFailure => {
  if (left === null || right === null) return left === right;
  if (isContainer(left) || isContainer(right)) {
    const container = isContainer(left) ? left : right;
    return new FunctionFailure(`cannot compare a ${kindOfValue(container)}; deepEqual can`);
  }
  if (kindOfValue(left) !== kindOfValue(right)) return new FunctionFailure(INCOMPATIBLE);
  return scalarOf(left) === scalarOf(right);
};

const eq: TemplateFunction = (args, context) => {
  const [first = null, ...others] = args;
  for (const other of others) {
    if (!spent(other, context)) return tooLarge();
    const equal = areEqual(first, other);
    if (equal !== false) return equal;
  }
  return false;
};

const ne: TemplateFunction = (args, context) => {
  const equal = eq(args, context);
  return equal instanceof FunctionFailure ? equal : equal === false;
};

/** Finding the first difference costs more than comparing for equality. */
const spentOrdering = (
  left: TemplateValue,
  right: TemplateValue,
  { spend }: FunctionContext,
): boolean =>
  typeof left !== 'string' ||
  typeof right !== 'string' ||
  spend(Math.min(left.length, right.length));

/** Returns a number below, equal to or above 0 for the order of two values; NaN where they have no order. */
const order = (left: TemplateValue, right: TemplateValue): number | FunctionFailure => {
  const kind = kindOfValue(left);
  if (kind !== kindOfValue(right)) return new FunctionFailure(INCOMPATIBLE);
  if (typeof left === 'number' && typeof right === 'number')
    return left === right ? 0 : left - right;
  if (typeof left === 'string' && typeof right === 'string') return byCodePoints(left, right);
  if (left instanceof TemplateTime && right instanceof TemplateTime) return left.ms - right.ms;
  return new FunctionFailure(`a ${kind} has no order`);
};

const ordered =
  (holds: (order: number) => boolean): TemplateFunction =>
  ([left = null, right = null], context) => {
    if (!spentOrdering(left, right, context)) return tooLarge();
    const found = order(left, right);
    return found instanceof FunctionFailure ? found : holds(found);
  };

const entry = entryIn('Comparison');

/** Go's functions that compare. */
export const COMPARISON_FUNCTIONS = {
  eq: entry(eq, 'eq value candidate…', 'Whether the first value equals one of the others.', [
    '{{ eq "b" "a" "b" }}',
    'true',
  ]),
  ne: entry(ne, 'ne left right', 'Whether two values differ.', ['{{ ne 1 2 }}', 'true']),
  lt: entry(
    ordered((found) => found < 0),
    'lt left right',
    'Whether left is less than right.',
    ['{{ lt 1 2 }}', 'true'],
  ),
  le: entry(
    ordered((found) => found <= 0),
    'le left right',
    'Whether left is at most right.',
    ['{{ le 2 2 }}', 'true'],
  ),
  gt: entry(
    ordered((found) => found > 0),
    'gt left right',
    'Whether left is greater than right.',
    ['{{ gt "b" "a" }}', 'true'],
  ),
  ge: entry(
    ordered((found) => found >= 0),
    'ge left right',
    'Whether left is at least right.',
    ['{{ ge 1 2 }}', 'false'],
  ),
} as const satisfies FunctionEntries;
