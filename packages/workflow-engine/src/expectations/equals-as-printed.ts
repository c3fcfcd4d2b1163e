import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import { isJsonList, isJsonMap } from '@gateway/go-template';
import { fitsInBytes } from '../json/json-bytes.ts';

const sameLists = (left: readonly JsonValue[], right: readonly JsonValue[]): boolean =>
  left.length === right.length &&
  left.every((item, index) => sameJson(item, right[index] as JsonValue));

const sameMaps = (left: JsonMap, right: JsonMap): boolean => {
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) && sameJson(left[key] as JsonValue, right[key] as JsonValue),
    )
  );
};

/** Equal JSON: the order of keys does not matter. */
const sameJson = (left: JsonValue, right: JsonValue): boolean => {
  if (left === right) return true;
  if (isJsonList(left)) return isJsonList(right) && sameLists(left, right);
  return isJsonMap(left) && isJsonMap(right) && sameMaps(left, right);
};

/** Returns whether a text is the printed form of a value. A value that is larger than the text is not printed at all. */
const printsAs = (value: JsonValue, text: string): boolean =>
  // A code unit of the text is at most three bytes of UTF-8.
  typeof value !== 'string' &&
  fitsInBytes(value, 3 * text.length) &&
  JSON.stringify(value) === text;

/**
 * Returns whether two values are equal as JSON, or equal as printed (`5` and `"5"`, `true` and `"true"`). Symmetric.
 * @spec §2.7 `jsonPath`
 */
export const equalsAsPrinted = (left: JsonValue, right: JsonValue): boolean => {
  if (typeof left === 'string') return left === right || printsAs(right, left);
  if (typeof right === 'string') return printsAs(left, right);
  return sameJson(left, right);
};
