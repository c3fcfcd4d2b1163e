import {
  FunctionFailure,
  TemplateTime,
  type FunctionContext,
  type TemplateFunction,
  type TemplateValue,
} from '../../values/template-value.ts';
import { readingUnits, tooLarge } from './budget.ts';
import { isList, isMap, type TemplateMap } from '../../values/template-map.ts';

/** Reads an argument. A failure states what the argument must be. */
export type Reader<Value> = (value: TemplateValue) => Value | FunctionFailure;

/** Returns the kind of a value with its article: `a list`. */
export const describeKind = (value: TemplateValue): string => {
  if (value === null) return 'null';
  if (value instanceof TemplateTime) return 'a time';
  if (isList(value)) return 'a list';
  if (isMap(value)) return 'a map';
  return `a ${typeof value}`;
};

const mustBe = (wanted: string, value: TemplateValue): FunctionFailure =>
  new FunctionFailure(`must be ${wanted}, but is ${describeKind(value)}`);

/** Accepts any value. */
export const anything = (value: TemplateValue): TemplateValue => value;

/** Accepts a string. */
export const text = (value: TemplateValue): string | FunctionFailure =>
  typeof value === 'string' ? value : mustBe('a string', value);

/** Accepts a number without a fraction, up to ±(2^53 − 1). */
export const whole = (value: TemplateValue): number | FunctionFailure => {
  if (typeof value !== 'number') return mustBe('a whole number', value);
  // `+ 0` converts -0 to 0.
  if (Number.isSafeInteger(value)) return value + 0;
  return new FunctionFailure(`must be a whole number, but is ${value}`);
};

/** Accepts true or false. */
export const flag = (value: TemplateValue): boolean | FunctionFailure =>
  typeof value === 'boolean' ? value : mustBe('true or false', value);

/** Accepts a list. */
export const list = (value: TemplateValue): readonly TemplateValue[] | FunctionFailure =>
  isList(value) ? value : mustBe('a list', value);

/** Accepts a map. */
export const map = (value: TemplateValue): TemplateMap | FunctionFailure =>
  isMap(value) ? value : mustBe('a map', value);

/** Accepts a time. */
export const time = (value: TemplateValue): TemplateTime | FunctionFailure =>
  value instanceof TemplateTime ? value : mustBe('a time', value);

const readingCost = (args: readonly TemplateValue[]): number => {
  let cost = 1;
  for (const value of args)
    if (typeof value === 'string' || isList(value)) cost += readingUnits(value.length);
  return cost;
};

/** Reads one argument; a failure names its place, counted from 1. */
const readAt = (read: Reader<unknown>, value: TemplateValue, index: number): unknown => {
  const result = read(value);
  return result instanceof FunctionFailure
    ? new FunctionFailure(`argument ${index + 1} ${result.text}`)
    : result;
};

/** Reads arguments of one kind that follow `before` other arguments. */
export const readRest = <Value>(
  read: Reader<Value>,
  values: readonly TemplateValue[],
  before: number,
): Value[] | FunctionFailure => {
  const found: Value[] = [];
  for (const [index, value] of values.entries()) {
    const result = readAt(read, value, before + index);
    if (result instanceof FunctionFailure) return result;
    found.push(result as Value);
  }
  return found;
};

const readAll = (
  readers: readonly Reader<unknown>[],
  args: readonly TemplateValue[],
): unknown[] | FunctionFailure => {
  const values: unknown[] = [];
  for (const [index, read] of readers.entries()) {
    const value = readAt(read, args[index] ?? null, index);
    if (value instanceof FunctionFailure) return value;
    values.push(value);
  }
  return values;
};

type Answer = TemplateValue | FunctionFailure;
type Read<R> = R extends (value: TemplateValue) => infer Value
  ? Exclude<Value, FunctionFailure>
  : never;
type ReadAll<Readers extends readonly Reader<unknown>[]> = {
  readonly [Index in keyof Readers]: Read<Readers[Index]>;
};

/**
 * Returns a function with these arguments, followed by any number that `call` reads itself. Charges the budget for reading
 * texts and lists; `call` charges for what it produces.
 *
 * @example
 * withArguments([whole, text], ([count, value], context) => makeWithinBudget(context, count * value.length, () => value.repeat(count)));
 */
export const withArguments =
  <const Readers extends readonly Reader<unknown>[]>(
    readers: Readers,
    call: (
      values: ReadAll<Readers>,
      context: FunctionContext,
      more: readonly TemplateValue[],
    ) => Answer,
  ): TemplateFunction =>
  (args, context) => {
    if (!context.spend(readingCost(args))) return tooLarge();
    const values = readAll(readers, args);
    if (values instanceof FunctionFailure) return values;
    return call(values as ReadAll<Readers>, context, args.slice(readers.length));
  };

/** Returns a function of any number of arguments of one kind. */
export const withAllArguments =
  <Value>(
    read: Reader<Value>,
    call: (values: readonly Value[], context: FunctionContext) => Answer,
  ): TemplateFunction =>
  (args, context) => {
    if (!context.spend(readingCost(args))) return tooLarge();
    const values = readRest(read, args, 0);
    return values instanceof FunctionFailure ? values : call(values, context);
  };
