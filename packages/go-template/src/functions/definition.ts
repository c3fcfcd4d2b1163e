import {
  type FunctionContext,
  FunctionFailure,
  isList,
  isMap,
  OVER_BUDGET,
  type TemplateFunction,
  type TemplateMap,
  TemplateTime,
  type TemplateValue,
  TOO_DEEP,
} from '../values/template-value.ts';

/** Returns the answer of a function for which the budget of the rendering is too small. */
export const createBudgetFailure = (): FunctionFailure => new FunctionFailure(OVER_BUDGET);

/** Reading something once costs a part of its size (characters or items), so that a loop of cheap calls over it ends. */
const READ_PER_UNIT = 16;

/** A search for a longer part may compare all of its characters at each position of the text. */
const SHORT_PART = 250;
/** Characters of a long part that are compared for one unit. */
const COMPARED_PER_UNIT = 64;

/** Returns the cost of searching a text for all occurrences of a part. */
export const computeSearchUnits = (text: string, part: string): number => {
  const perCharacter =
    part.length > SHORT_PART ? part.length / COMPARED_PER_UNIT : 1 / READ_PER_UNIT;
  return Math.ceil(text.length * perCharacter);
};

/** Returns the cost of reading text or items of this size. */
const computeReadUnits = (size: number): number => Math.ceil(size / READ_PER_UNIT);

/** Characters that are counted for one unit when every one of them may be an occurrence. */
const COUNTED_PER_UNIT = 2;

/** Returns the cost of counting the occurrences of a part in a text, in addition to searching it. */
export const computeCountUnits = (text: string): number =>
  Math.ceil(text.length / COUNTED_PER_UNIT);

/** Returns the number of occurrences of a part in a text. An empty part occurs between all characters. */
export const countOccurrences = (text: string, part: string): number => {
  if (part === '') return Array.from(text).length + 1;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
};

/** Counts a text that is read and not copied; false when the budget of the rendering is spent. */
export const spendReading = ({ spend }: FunctionContext, text: string): boolean =>
  spend(computeReadUnits(text.length));

/** Produces a value of a known size (characters or items) if the budget of the rendering allows it. */
export const makeWithinBudget = <Made>(
  context: FunctionContext,
  size: number,
  make: () => Made,
): Made | FunctionFailure => (context.spend(size) ? make() : createBudgetFailure());

/** Returns the failure of a function that would have to walk deeper into a value than values go. */
export const createDepthFailure = (): FunctionFailure => new FunctionFailure(TOO_DEEP);

/** Reads an argument. A failure states what the argument must be. */
export type Reader<Value> = (value: TemplateValue) => Value | FunctionFailure;

export const describeKind = (value: TemplateValue): string => {
  if (value === null) return 'null';
  if (value instanceof TemplateTime) return 'a time';
  if (isList(value)) return 'a list';
  if (isMap(value)) return 'a map';
  return `a ${typeof value}`;
};

const createTypeFailure = (wanted: string, value: TemplateValue): FunctionFailure =>
  new FunctionFailure(`must be ${wanted}, but is ${describeKind(value)}`);

/** Accepts any value. */
export const readAnyArgument = (value: TemplateValue): TemplateValue => value;

/** Accepts a string. */
export const readTextArgument = (value: TemplateValue): string | FunctionFailure =>
  typeof value === 'string' ? value : createTypeFailure('a string', value);

/** Accepts a number without a fraction, up to ±(2^53 − 1). */
export const readWholeArgument = (value: TemplateValue): number | FunctionFailure => {
  if (typeof value !== 'number') return createTypeFailure('a whole number', value);
  // `+ 0` converts -0 to 0.
  if (Number.isSafeInteger(value)) return value + 0;
  return new FunctionFailure(`must be a whole number, but is ${value}`);
};

export const readFlagArgument = (value: TemplateValue): boolean | FunctionFailure =>
  typeof value === 'boolean' ? value : createTypeFailure('true or false', value);

/** Accepts a list. */
export const list = (value: TemplateValue): readonly TemplateValue[] | FunctionFailure =>
  isList(value) ? value : createTypeFailure('a list', value);

/** Accepts a map. */
export const map = (value: TemplateValue): TemplateMap | FunctionFailure =>
  isMap(value) ? value : createTypeFailure('a map', value);

/** Accepts a time. */
export const readTimeArgument = (value: TemplateValue): TemplateTime | FunctionFailure =>
  value instanceof TemplateTime ? value : createTypeFailure('a time', value);

const computeReadCost = (args: readonly TemplateValue[]): number => {
  let cost = 1;
  for (const value of args)
    if (typeof value === 'string' || isList(value)) cost += computeReadUnits(value.length);
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
type LiteralRead<R> = R extends (value: TemplateValue) => infer Value
  ? Exclude<Value, FunctionFailure>
  : never;
type ReadAll<Readers extends readonly Reader<unknown>[]> = {
  readonly [Index in keyof Readers]: LiteralRead<Readers[Index]>;
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
    if (!context.spend(computeReadCost(args))) return createBudgetFailure();
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
    if (!context.spend(computeReadCost(args))) return createBudgetFailure();
    const values = readRest(read, args, 0);
    return values instanceof FunctionFailure ? values : call(values, context);
  };

/** A template and the text that it renders to, with empty data and the clock at 2026-01-02T03:04:05Z. */
export interface FunctionExample {
  readonly template: string;
  readonly prints: string;
}

/** A function of the template dialect with its documentation. A test renders every example. */
export interface FunctionEntry {
  readonly call: TemplateFunction;
  /** Its name and its arguments: `repeat count text`. */
  readonly signature: string;
  /** The heading under which it is documented. */
  readonly group: string;
  /** A sentence in Markdown. */
  readonly summary: string;
  readonly example: FunctionExample;
}

/** A part of the function table: some functions by name. */
export type FunctionEntries = Readonly<Record<string, FunctionEntry>>;

/**
 * Writes down the functions of one group.
 *
 * @example
 * const entry = entryIn('Text');
 * const upper = entry(withArguments([text], ([value]) => value.toUpperCase()), 'upper text', 'In capitals.', ['{{ upper "a" }}', 'A']);
 */
export const createEntryFactory =
  (group: string) =>
  (
    call: TemplateFunction,
    signature: string,
    summary: string,
    [template, prints]: readonly [template: string, prints: string],
  ): FunctionEntry => ({ call, signature, group, summary, example: { template, prints } });

/** Returns a function under another name, with its signature and its example. */
export const createAlias = (
  entry: FunctionEntry,
  name: string,
  alias: string,
  summary = `The same as \`${name}\`.`,
): FunctionEntry => ({
  ...entry,
  signature: entry.signature.replace(name, alias),
  summary,
  example: {
    template: entry.example.template.replace(name, alias),
    prints: entry.example.prints,
  },
});

type MustName<Name extends string> = `must${Capitalize<Name>}`;

/** Returns functions together with the same functions under Sprig's names with `must`. */
export const withMustNames = <Name extends string>(
  entries: Readonly<Record<Name, FunctionEntry>>,
): Readonly<Record<Name | MustName<Name>, FunctionEntry>> => {
  const named: Record<string, FunctionEntry> = {};
  for (const [name, entry] of Object.entries<FunctionEntry>(entries)) {
    const alias = `must${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    named[name] = entry;
    named[alias] = createAlias(entry, name, alias);
  }
  return named as Readonly<Record<Name | MustName<Name>, FunctionEntry>>;
};

/** The kinds of values that templates distinguish. */
export type ValueKind = 'bool' | 'list' | 'map' | 'null' | 'number' | 'string' | 'time';

const OF_SCALAR = { boolean: 'bool', number: 'number', string: 'string' } as const;

/** Returns the kind of a value, as messages name it. */
export const resolveValueKind = (value: TemplateValue): ValueKind => {
  if (value === null) return 'null';
  if (typeof value !== 'object') return OF_SCALAR[typeof value as keyof typeof OF_SCALAR];
  if (Array.isArray(value)) return 'list';
  return value instanceof TemplateTime ? 'time' : 'map';
};

export const GO_TYPES: Readonly<Record<ValueKind, string>> = {
  bool: 'bool',
  list: '[]interface {}',
  map: 'map[string]interface {}',
  null: '<nil>',
  number: 'float64',
  string: 'string',
  time: 'time.Time',
};
