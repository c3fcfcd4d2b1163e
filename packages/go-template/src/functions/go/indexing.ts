import { tooLarge } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import {
  isList,
  isMap,
  keysWithin,
  ownValue,
  type TemplateMap,
} from '../../values/template-map.ts';
import { nearestKeysText } from '../../navigation/nearest-keys.ts';
import { shortenText } from '../../navigation/shorten-text.ts';
import {
  FunctionFailure,
  type TemplateFunction,
  type TemplateValue,
} from '../../values/template-value.ts';
import { bytesUnlessAscii, textOfBytes, utf8Length } from '../../values/utf8.ts';
import { kindOfValue } from './kind-of-value.ts';

const indexIn = (index: TemplateValue, length: number): number | FunctionFailure => {
  if (typeof index !== 'number') {
    return new FunctionFailure(`cannot index with a ${kindOfValue(index)}`);
  }
  return Number.isInteger(index) && index >= 0 && index < length
    ? index
    : new FunctionFailure(`index out of range: ${index}`);
};

const itemOf = (
  list: readonly TemplateValue[],
  index: TemplateValue,
): TemplateValue | FunctionFailure => {
  const at = indexIn(index, list.length);
  return at instanceof FunctionFailure ? at : (list[at] ?? null);
};

const byteOf = (text: string, index: TemplateValue): TemplateValue | FunctionFailure => {
  const bytes = bytesUnlessAscii(text);
  const at = indexIn(index, bytes?.length ?? text.length);
  if (at instanceof FunctionFailure) return at;
  return bytes === undefined ? text.charCodeAt(at) : (bytes[at] ?? null);
};

const entryOf = (map: TemplateMap, key: TemplateValue): TemplateValue | FunctionFailure => {
  if (typeof key !== 'string') {
    return new FunctionFailure(`a key is a string, not a ${kindOfValue(key)}`);
  }
  const value = ownValue(map, key);
  if (value !== undefined) return value;
  const shown = JSON.stringify(shortenText(key));
  return new FunctionFailure(
    `map has no entry for key ${shown}; ${nearestKeysText(Object.keys(map), key)}`,
  );
};

const within = (value: TemplateValue, index: TemplateValue): TemplateValue | FunctionFailure => {
  if (isList(value)) return itemOf(value, index);
  if (isMap(value)) return entryOf(value, index);
  if (typeof value === 'string') return byteOf(value, index);
  return new FunctionFailure(`cannot index a ${kindOfValue(value)}`);
};

const index: TemplateFunction = ([value = null, ...indexes], context) => {
  let current: TemplateValue = value;
  for (const next of indexes) {
    if (typeof current === 'string' && !context.spend(current.length)) return tooLarge();
    const found = within(current, next);
    if (found instanceof FunctionFailure) return found;
    current = found;
  }
  return current;
};

const len: TemplateFunction = ([value = null], context) => {
  if (typeof value === 'string') {
    return context.spend(value.length) ? utf8Length(value) : tooLarge();
  }
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) {
    return keysWithin(value, context.spend)?.length ?? tooLarge();
  }
  return new FunctionFailure(`a ${kindOfValue(value)} has no length`);
};

const bounds = (
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

const sliceOfText = (text: string, indexes: readonly TemplateValue[]): string | FunctionFailure => {
  if (indexes.length > 2) return new FunctionFailure('cannot 3-index slice a string');
  const bytes = bytesUnlessAscii(text);
  const range = bounds(indexes, bytes?.length ?? text.length);
  if (range instanceof FunctionFailure) return range;
  if (bytes === undefined) return text.slice(...range);
  return (
    textOfBytes(bytes.subarray(...range)) ??
    new FunctionFailure(`bytes ${range[0]} to ${range[1]} cut through a character`)
  );
};

const slice: TemplateFunction = ([value = null, ...indexes], context) => {
  if (!isList(value) && typeof value !== 'string') {
    return new FunctionFailure(`cannot slice a ${kindOfValue(value)}`);
  }
  if (!context.spend(value.length)) return tooLarge();
  if (typeof value === 'string') return sliceOfText(value, indexes);
  // As in Sprig, an empty list has every part.
  if (value.length === 0) return value;
  const range = bounds(indexes, value.length);
  return range instanceof FunctionFailure ? range : value.slice(...range);
};

const entry = entryIn('Indexing');

/** Go's functions that access parts of values. */
export const INDEXING_FUNCTIONS = {
  index: entry(
    index,
    'index value index…',
    'The item or entry under an index or key, and in it under the next one. A missing key is an error; `get`, `dig` and `hasKey` tolerate it.',
    ['{{ index (list "a" "b") 1 }}', 'b'],
  ),
  len: entry(
    len,
    'len value',
    'How many items a list, entries a map, or bytes a text in UTF-8 has.',
    ['{{ len "abc" }}', '3'],
  ),
  slice: entry(
    slice,
    'slice value from to',
    'A part of a list, or of a text counted in bytes: from an index up to but not including another.',
    ['{{ slice "abcd" 1 3 }}', 'bc'],
  ),
} as const satisfies FunctionEntries;
