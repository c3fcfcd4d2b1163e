import {
  FunctionFailure,
  TemplateTime,
  type FunctionContext,
  type TemplateFunction,
  type TemplateValue,
} from '../../values/template-value.ts';
import { readingUnits, tooLarge } from './budget.ts';
import { isList, isMap, type TemplateMap } from '../../values/template-map.ts';

/** What an argument has to be. Its failure says what the argument must be. */
export type Reader<Value> = (value: TemplateValue) => Value | FunctionFailure;

/** What a value is, in words: `a list`. */
export const kindWords = (value: TemplateValue): string => {
  if (value === null) return 'null';
  if (value instanceof TemplateTime) return 'a time';
  if (isList(value)) return 'a list';
  if (isMap(value)) return 'a map';
  return `a ${typeof value}`;
};

const mustBe = (wanted: string, value: TemplateValue): FunctionFailure =>
  new FunctionFailure(`must be ${wanted}, but is ${kindWords(value)}`);

/** Takes any value. */
export const anything = (value: TemplateValue): TemplateValue => value;

/** Takes a string. */
export const text = (value: TemplateValue): string | FunctionFailure =>
  typeof value === 'string' ? value : mustBe('a string', value);

/** Takes a number without a fraction, up to ±(2^53 − 1). */
export const whole = (value: TemplateValue): number | FunctionFailure => {
  if (typeof value !== 'number') return mustBe('a whole number', value);
  // `+ 0` turns -0 into 0.
  if (Number.isSafeInteger(value)) return value + 0;
  return new FunctionFailure(`must be a whole number, but is ${value}`);
};

/** Takes true or false. */
export const flag = (value: TemplateValue): boolean | FunctionFailure =>
  typeof value === 'boolean' ? value : mustBe('true or false', value);

/** Takes a list. */
export const list = (value: TemplateValue): readonly TemplateValue[] | FunctionFailure =>
  isList(value) ? value : mustBe('a list', value);

/** Takes a map. */
export const map = (value: TemplateValue): TemplateMap | FunctionFailure =>
  isMap(value) ? value : mustBe('a map', value);

/** Takes a time. */
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

/** Reads arguments of one kind that stand behind `before` others. */
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
 * A function that takes these arguments, and after them any that `call` looks at itself.
 * Charges the budget for reading texts and lists; what `call` makes, it has to charge.
 *
 * @example
 * taking([whole, text], ([count, value], context) => ifFits(context, count * value.length, () => value.repeat(count)));
 */
export const taking =
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

/** A function of any number of arguments of one kind. */
export const takingAll =
  <Value>(
    read: Reader<Value>,
    call: (values: readonly Value[], context: FunctionContext) => Answer,
  ): TemplateFunction =>
  (args, context) => {
    if (!context.spend(readingCost(args))) return tooLarge();
    const values = readRest(read, args, 0);
    return values instanceof FunctionFailure ? values : call(values, context);
  };
