import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import { isJsonList, isJsonMap } from '@gateway/go-template';
import { fitsInBytes } from '../json/json-bytes.ts';

/** Counts work in units of a rendering; false when the budget is spent. */
export type Spend = (units: number) => boolean;

/** Comparing a part of two values. */
const UNITS_PER_PART = 8;
/** Printing a character of a value. */
const UNITS_PER_CHARACTER = 2;
/** Characters of two texts that are compared for one unit. */
const COMPARED_PER_UNIT = 16;

/** Thrown when the budget is spent; caught where the comparison began. */
class OutOfBudget extends Error {}

const charge = (units: number, spend: Spend): void => {
  if (!spend(units)) throw new OutOfBudget();
};

const sameLists = (
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  spend: Spend,
): boolean =>
  left.length === right.length &&
  left.every((item, index) => sameJson(item, right[index] as JsonValue, spend));

const sameMaps = (left: JsonMap, right: JsonMap, spend: Spend): boolean => {
  const keys = Object.keys(left);
  charge(UNITS_PER_PART * keys.length, spend);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        sameJson(left[key] as JsonValue, right[key] as JsonValue, spend),
    )
  );
};

const charactersOf = (value: JsonValue): number => (typeof value === 'string' ? value.length : 0);

/** Equal JSON: the order of keys does not matter. */
const sameJson = (left: JsonValue, right: JsonValue, spend: Spend): boolean => {
  charge(UNITS_PER_PART + Math.ceil(charactersOf(left) / COMPARED_PER_UNIT), spend);
  if (left === right) return true;
  if (isJsonList(left)) return isJsonList(right) && sameLists(left, right, spend);
  return isJsonMap(left) && isJsonMap(right) && sameMaps(left, right, spend);
};

/** Returns whether a text is the printed form of a value. A value that is larger than the text is not printed at all. */
const printsAs = (value: JsonValue, text: string, spend: Spend): boolean => {
  if (typeof value === 'string') return false;
  // Numbers, true, false and null are short.
  if (typeof value === 'object' && value !== null) charge(UNITS_PER_PART * text.length, spend);
  charge(UNITS_PER_CHARACTER * Math.min(text.length, LONGEST_SCALAR), spend);
  // A code unit of the text is at most three bytes of UTF-8.
  return fitsInBytes(value, 3 * text.length) && JSON.stringify(value) === text;
};

/** No number has more characters. */
const LONGEST_SCALAR = 32;

const compared = (left: JsonValue, right: JsonValue, spend: Spend): boolean => {
  if (typeof left === 'string') return left === right || printsAs(right, left, spend);
  if (typeof right === 'string') return printsAs(left, right, spend);
  return sameJson(left, right, spend);
};

/**
 * Returns whether two values are equal as JSON, or equal as printed (`5` and `"5"`, `true` and `"true"`). Symmetric. Undefined when the
 * comparison exceeds the budget.
 * @spec §2.7 `jsonPath`
 */
export const equalsAsPrinted = (
  left: JsonValue,
  right: JsonValue,
  spend: Spend = () => true,
): boolean | undefined => {
  try {
    return compared(left, right, spend);
  } catch (error) {
    if (error instanceof OutOfBudget) return undefined;
    throw error;
  }
};
