import {
  createEntryFactory,
  type FunctionEntries,
  resolveValueKind,
  spendReading,
  createBudgetFailure,
} from './definition.ts';
import {
  compareCodePoints,
  type FunctionContext,
  FunctionFailure,
  isList,
  isMap,
  isTrue,
  listMapKeys,
  findOwnValue,
  type TemplateFunction,
  type TemplateMap,
  TemplateTime,
  type TemplateValue,
} from '../values/template-value.ts';
import { formatSprint } from './print.ts';
import { formatNearestKeys } from '../values/walk-path.ts';
import { shortenText } from '../syntax/template.ts';
import { encodeNonAscii, decodeUtf8, countUtf8Bytes } from '../values/utf8.ts';
import { PRINTING_FUNCTIONS } from './printing-functions.ts';

const INCOMPATIBLE = 'incompatible types for comparison';

const isContainer = (value: TemplateValue): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof TemplateTime);

const toScalar = (value: TemplateValue): TemplateValue =>
  value instanceof TemplateTime ? value.ms : value;

const spendValue = (value: TemplateValue, context: FunctionContext): boolean =>
  typeof value !== 'string' || spendReading(context, value);

/** Returns whether two values are equal. Null equals null only; lists and maps cannot be compared. */
const areEqual = (left: TemplateValue, right: TemplateValue): boolean | FunctionFailure => {
  if (left === null || right === null) return left === right;
  if (isContainer(left) || isContainer(right)) {
    const container = isContainer(left) ? left : right;
    return new FunctionFailure(`cannot compare a ${resolveValueKind(container)}; deepEqual can`);
  }
  if (resolveValueKind(left) !== resolveValueKind(right)) return new FunctionFailure(INCOMPATIBLE);
  return toScalar(left) === toScalar(right);
};

const compareEqual: TemplateFunction = (args, context) => {
  const [first = null, ...others] = args;
  for (const other of others) {
    if (!spendValue(other, context)) return createBudgetFailure();
    const equal = areEqual(first, other);
    if (equal !== false) return equal;
  }
  return false;
};

const compareUnequal: TemplateFunction = (args, context) => {
  const equal = compareEqual(args, context);
  return equal instanceof FunctionFailure ? equal : equal === false;
};

/** Finding the first difference costs more than comparing for equality. */
const spendOrdering = (
  left: TemplateValue,
  right: TemplateValue,
  { spend }: FunctionContext,
): boolean =>
  typeof left !== 'string' ||
  typeof right !== 'string' ||
  spend(Math.min(left.length, right.length));

/** Returns a number below, equal to or above 0 for the order of two values; NaN where they have no order. */
const compareValues = (left: TemplateValue, right: TemplateValue): number | FunctionFailure => {
  const kind = resolveValueKind(left);
  if (kind !== resolveValueKind(right)) return new FunctionFailure(INCOMPATIBLE);
  if (typeof left === 'number' && typeof right === 'number')
    return left === right ? 0 : left - right;
  if (typeof left === 'string' && typeof right === 'string') return compareCodePoints(left, right);
  if (left instanceof TemplateTime && right instanceof TemplateTime) return left.ms - right.ms;
  return new FunctionFailure(`a ${kind} has no order`);
};

const createOrderFunction =
  (holds: (order: number) => boolean): TemplateFunction =>
  ([left = null, right = null], context) => {
    if (!spendOrdering(left, right, context)) return createBudgetFailure();
    const found = compareValues(left, right);
    return found instanceof FunctionFailure ? found : holds(found);
  };

const comparisonEntry = createEntryFactory('Comparison');

/** Go's functions that compare. */
const COMPARISON_FUNCTIONS = {
  eq: comparisonEntry(
    compareEqual,
    'eq value candidate…',
    'Whether the first value equals one of the others.',
    ['{{ eq "b" "a" "b" }}', 'true'],
  ),
  ne: comparisonEntry(compareUnequal, 'ne left right', 'Whether two values differ.', [
    '{{ ne 1 2 }}',
    'true',
  ]),
  lt: comparisonEntry(
    createOrderFunction((found) => found < 0),
    'lt left right',
    'Whether left is less than right.',
    ['{{ lt 1 2 }}', 'true'],
  ),
  le: comparisonEntry(
    createOrderFunction((found) => found <= 0),
    'le left right',
    'Whether left is at most right.',
    ['{{ le 2 2 }}', 'true'],
  ),
  gt: comparisonEntry(
    createOrderFunction((found) => found > 0),
    'gt left right',
    'Whether left is greater than right.',
    ['{{ gt "b" "a" }}', 'true'],
  ),
  ge: comparisonEntry(
    createOrderFunction((found) => found >= 0),
    'ge left right',
    'Whether left is at least right.',
    ['{{ ge 1 2 }}', 'false'],
  ),
} as const satisfies FunctionEntries;

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};
const HTML_SPECIAL = /[\0"'&<>]/g;

const JS: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '"': '\\"' };
const JS_SPECIAL = /[\\'"<>&=]|(?!\u007f)\p{C}|(?! )\p{Z}/gu;

const escapeJs = (char: string): string =>
  JS[char] ??
  Array.from(
    { length: char.length },
    (_unused, at) => `\\u${char.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join('');

const LONE_SURROGATE = /\p{Cs}/gu;
const QUERY_SPECIAL = /[!'()*]/g;

const queryEscape = (text: string): string =>
  encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd'))
    .replace(QUERY_SPECIAL, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const LARGEST_GROWTH = 9;

const createEscapeFunction =
  (escape: (text: string) => string): TemplateFunction =>
  (args, context) => {
    const text = formatSprint(args, context);
    if (text instanceof FunctionFailure) return text;
    if (!context.spend(text.length * LARGEST_GROWTH)) return createBudgetFailure();
    return escape(text);
  };

const escapeEntry = createEntryFactory('Escaping');

/** Go's functions that escape. */
const ESCAPING_FUNCTIONS = {
  html: escapeEntry(
    createEscapeFunction((text) => text.replace(HTML_SPECIAL, (char) => HTML[char] ?? char)),
    'html value…',
    'The printed values, safe inside HTML.',
    ['{{ html "<a>" }}', '&lt;a&gt;'],
  ),
  js: escapeEntry(
    createEscapeFunction((text) => text.replace(JS_SPECIAL, escapeJs)),
    'js value…',
    'The printed values, safe inside a string of JavaScript.',
    [String.raw`{{ js "it's" }}`, String.raw`it\'s`],
  ),
  urlquery: escapeEntry(
    createEscapeFunction(queryEscape),
    'urlquery value…',
    'The printed values, safe as a value of a URL query.',
    ['{{ urlquery "a b&c" }}', 'a+b%26c'],
  ),
} as const satisfies FunctionEntries;

const indexIn = (index: TemplateValue, length: number): number | FunctionFailure => {
  if (typeof index !== 'number') {
    return new FunctionFailure(`cannot index with a ${resolveValueKind(index)}`);
  }
  return Number.isInteger(index) && index >= 0 && index < length
    ? index
    : new FunctionFailure(`index out of range: ${index}`);
};

const resolveItem = (
  list: readonly TemplateValue[],
  index: TemplateValue,
): TemplateValue | FunctionFailure => {
  const at = indexIn(index, list.length);
  return at instanceof FunctionFailure ? at : (list[at] ?? null);
};

const resolveByte = (text: string, index: TemplateValue): TemplateValue | FunctionFailure => {
  const bytes = encodeNonAscii(text);
  const at = indexIn(index, bytes?.length ?? text.length);
  if (at instanceof FunctionFailure) return at;
  return bytes === undefined ? text.charCodeAt(at) : (bytes[at] ?? null);
};

const resolveEntry = (map: TemplateMap, key: TemplateValue): TemplateValue | FunctionFailure => {
  if (typeof key !== 'string') {
    return new FunctionFailure(`a key is a string, not a ${resolveValueKind(key)}`);
  }
  const value = findOwnValue(map, key);
  if (value !== undefined) return value;
  const shown = JSON.stringify(shortenText(key));
  return new FunctionFailure(
    `map has no entry for key ${shown}; ${formatNearestKeys(Object.keys(map), key)}`,
  );
};

const resolveElement = (
  value: TemplateValue,
  index: TemplateValue,
): TemplateValue | FunctionFailure => {
  if (isList(value)) return resolveItem(value, index);
  if (isMap(value)) return resolveEntry(value, index);
  if (typeof value === 'string') return resolveByte(value, index);
  return new FunctionFailure(`cannot index a ${resolveValueKind(value)}`);
};

const index: TemplateFunction = ([value = null, ...indexes], context) => {
  let current: TemplateValue = value;
  for (const next of indexes) {
    if (typeof current === 'string' && !context.spend(current.length)) return createBudgetFailure();
    const found = resolveElement(current, next);
    if (found instanceof FunctionFailure) return found;
    current = found;
  }
  return current;
};

const countElements: TemplateFunction = ([value = null], context) => {
  if (typeof value === 'string') {
    return context.spend(value.length) ? countUtf8Bytes(value) : createBudgetFailure();
  }
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) {
    return listMapKeys(value, context.spend)?.length ?? createBudgetFailure();
  }
  return new FunctionFailure(`a ${resolveValueKind(value)} has no length`);
};

const resolveBounds = (
  indexes: readonly TemplateValue[],
  length: number,
): readonly [number, number] | FunctionFailure => {
  const numbers: number[] = [];
  for (const given of indexes) {
    const at = indexIn(given, length + 1);
    if (at instanceof FunctionFailure) return at;
    numbers.push(at);
  }
  const [from = 0, to = length, capacity = to] = numbers;
  if (from > to) return new FunctionFailure(`invalid slice index: ${from} > ${to}`);
  if (to > capacity) return new FunctionFailure(`invalid slice index: ${to} > ${capacity}`);
  return [from, to];
};

const takeTextSlice = (
  text: string,
  indexes: readonly TemplateValue[],
): string | FunctionFailure => {
  if (indexes.length > 2) return new FunctionFailure('cannot 3-index slice a string');
  const bytes = encodeNonAscii(text);
  const range = resolveBounds(indexes, bytes?.length ?? text.length);
  if (range instanceof FunctionFailure) return range;
  if (bytes === undefined) return text.slice(...range);
  return (
    decodeUtf8(bytes.subarray(...range)) ??
    new FunctionFailure(`bytes ${range[0]} to ${range[1]} cut through a character`)
  );
};

const slice: TemplateFunction = ([value = null, ...indexes], context) => {
  if (!isList(value) && typeof value !== 'string') {
    return new FunctionFailure(`cannot slice a ${resolveValueKind(value)}`);
  }
  if (!context.spend(value.length)) return createBudgetFailure();
  if (typeof value === 'string') return takeTextSlice(value, indexes);
  // As in Sprig, an empty list has every part.
  if (value.length === 0) return value;
  const range = resolveBounds(indexes, value.length);
  return range instanceof FunctionFailure ? range : value.slice(...range);
};

const indexingEntry = createEntryFactory('Indexing');

/** Go's functions that access parts of values. */
const INDEXING_FUNCTIONS = {
  index: indexingEntry(
    index,
    'index value index…',
    'The item or entry under an index or key, and in it under the next one. A missing key is an error; see `get` and `dig`.',
    ['{{ index (list "a" "b") 1 }}', 'b'],
  ),
  len: indexingEntry(
    countElements,
    'len value',
    'How many items a list, entries a map, or bytes a text in UTF-8 has.',
    ['{{ len "abc" }}', '3'],
  ),
  slice: indexingEntry(
    slice,
    'slice value from to',
    'A part of a list, or of a text counted in bytes: from an index up to but not including another.',
    ['{{ slice "abcd" 1 3 }}', 'bc'],
  ),
} as const satisfies FunctionEntries;

/** The interpreter evaluates arguments of `and` and `or` one by one and stops early; the answer is the same. */
const createLogicFunction =
  (decides: boolean): TemplateFunction =>
  (args) =>
    args.find((value) => isTrue(value) === decides) ?? args.at(-1) ?? null;

const logicEntry = createEntryFactory('Logic');

/** Go's functions of logic. */
const LOGIC_FUNCTIONS = {
  and: logicEntry(
    createLogicFunction(false),
    'and value…',
    'The first empty value, or the last one. Values after it are not evaluated.',
    ['{{ and true "yes" }}', 'yes'],
  ),
  or: logicEntry(
    createLogicFunction(true),
    'or value…',
    'The first value that is not empty, or the last one. Values after it are not evaluated.',
    ['{{ or "" "other" }}', 'other'],
  ),
  not: logicEntry(
    ([value = null]) => !isTrue(value),
    'not value',
    'Whether the value is empty: false, 0, null, an empty text, list or map.',
    ['{{ not "" }}', 'true'],
  ),
} as const satisfies FunctionEntries;

/** The functions that belong to Go's `text/template` itself. */
export const GO_FUNCTIONS = {
  ...LOGIC_FUNCTIONS,
  ...COMPARISON_FUNCTIONS,
  ...INDEXING_FUNCTIONS,
  ...PRINTING_FUNCTIONS,
  ...ESCAPING_FUNCTIONS,
} as const satisfies FunctionEntries;
