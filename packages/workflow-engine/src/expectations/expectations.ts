import type {
  Expectation,
  Expectations,
  JsonMap,
  JsonValue,
  Result,
  ResultPlace,
  ValueExpectation,
} from '@gateway/crd-schemas';
import {
  isJsonList,
  isJsonMap,
  type RenderAllowance,
  type RenderOptions,
  renderValue,
  type ValueTemplate,
  walkPath,
  type Spend,
} from '@gateway/go-template';
import { canFitBytes } from '../model/json-size.ts';
import type { TemplateData } from '../model/finished-run.ts';
import {
  findByJsonPath,
  type JsonPathFind,
  type SearchLimits,
  createSharedLimits,
} from './json-path.ts';

/** Comparing a part of two values. */
const UNITS_PER_PART = 8;
/** Printing a character of a value. */
const UNITS_PER_CHARACTER = 2;
/** Characters of two texts that are compared for one unit. */
const COMPARED_PER_UNIT = 16;

/** Thrown when the budget is spent; caught where the comparison began. */
class OutOfBudget extends Error {}

const spendUnits = (units: number, spend: Spend): void => {
  if (!spend(units)) throw new OutOfBudget();
};

const isEqualList = (
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  spend: Spend,
): boolean =>
  left.length === right.length &&
  left.every((item, index) => isEqualJson(item, right[index] as JsonValue, spend));

const isEqualMap = (left: JsonMap, right: JsonMap, spend: Spend): boolean => {
  const keys = Object.keys(left);
  spendUnits(UNITS_PER_PART * keys.length, spend);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isEqualJson(left[key] as JsonValue, right[key] as JsonValue, spend),
    )
  );
};

const countCharacters = (value: JsonValue): number =>
  typeof value === 'string' ? value.length : 0;

/** Equal JSON: the order of keys does not matter. */
const isEqualJson = (left: JsonValue, right: JsonValue, spend: Spend): boolean => {
  spendUnits(UNITS_PER_PART + Math.ceil(countCharacters(left) / COMPARED_PER_UNIT), spend);
  if (left === right) return true;
  if (isJsonList(left)) return isJsonList(right) && isEqualList(left, right, spend);
  return isJsonMap(left) && isJsonMap(right) && isEqualMap(left, right, spend);
};

/** Returns whether a text is the printed form of a value. A value that is larger than the text is not printed at all. */
const hasJsonText = (value: JsonValue, text: string, spend: Spend): boolean => {
  if (typeof value === 'string') return false;
  // Numbers, true, false and null are short.
  if (typeof value === 'object' && value !== null) spendUnits(UNITS_PER_PART * text.length, spend);
  spendUnits(UNITS_PER_CHARACTER * Math.min(text.length, LONGEST_SCALAR), spend);
  // A code unit of the text is at most three bytes of UTF-8.
  return canFitBytes(value, 3 * text.length) && JSON.stringify(value) === text;
};

/** No number has more characters. */
const LONGEST_SCALAR = 32;

const isEqualValue = (left: JsonValue, right: JsonValue, spend: Spend): boolean => {
  if (typeof left === 'string') return left === right || hasJsonText(right, left, spend);
  if (typeof right === 'string') return hasJsonText(left, right, spend);
  return isEqualJson(left, right, spend);
};

/**
 * Returns whether two values are equal as JSON, or equal as printed (`5` and `"5"`, `true` and `"true"`). Symmetric. Undefined when the
 * comparison exceeds the budget.
 * @spec §2.7 `jsonPath`
 */
export const isPrintedEqual = (
  left: JsonValue,
  right: JsonValue,
  spend: Spend = () => true,
): boolean | undefined => {
  try {
    return isEqualValue(left, right, spend);
  } catch (error) {
    if (error instanceof OutOfBudget) return undefined;
    throw error;
  }
};

/** The outcome of a call that is checked, with its result. */
export interface CheckedOutcome {
  readonly failed: boolean;
  readonly result: JsonValue;
}

/** The result of the check of an outcome, or the reason that this cannot be decided. */
export type ExpectationsMet = Result<boolean, string>;

/** The limits of a check: all paths and values of it share them. */
export interface CheckLimits extends RenderOptions {
  readonly allowance: RenderAllowance;
  /** The limits of paths; the default ones when absent. */
  readonly searches?: SearchLimits;
}

interface Question {
  readonly outcome: CheckedOutcome;
  readonly data: TemplateData;
  readonly limits: CheckLimits;
  readonly searches: SearchLimits;
}

const MISSING: JsonPathFind = Object.freeze({ kind: 'missing' });

const findAt = (
  place: ResultPlace,
  { outcome: { result }, data, limits, searches }: Question,
): JsonPathFind => {
  if (place.kind === 'template') {
    const rendered = renderValue(place, { ...data, result }, limits);
    return rendered.ok ? { kind: 'found', value: rendered.value } : MISSING;
  }
  const { path } = place;
  if (path.kind === 'json-path') return findByJsonPath(path, result, searches);
  const walked = walkPath(result, path.steps, path.written);
  return walked.ok ? { kind: 'found', value: walked.value } : MISSING;
};

const PASSED: ExpectationsMet = Object.freeze({ ok: true, value: true });
const NOT_PASSED: ExpectationsMet = Object.freeze({ ok: true, value: false });
const TOO_MUCH: ExpectationsMet = Object.freeze({
  ok: false,
  error: 'comparing the values takes more than is allowed',
});

const checkValue = ({ place, expected }: ValueExpectation, asked: Question): ExpectationsMet => {
  const wanted = renderValue(expected.parsed, asked.data, asked.limits);
  if (!wanted.ok) return wanted;
  const found = findAt(place, asked);
  if (found.kind === 'refused') return { ok: false, error: found.text };
  if (found.kind === 'missing') return NOT_PASSED;
  const { allowance } = asked.limits;
  const passed = isPrintedEqual(found.value, wanted.value, (units) => {
    allowance.units -= units;
    return allowance.units >= 0;
  });
  return passed === undefined ? TOO_MUCH : { ok: true, value: passed };
};

/** Checks every part of one expectation. Absent parts pass. */
const checkExpectation = (
  { success, jsonPath = [] }: Expectation,
  asked: Question,
): ExpectationsMet => {
  if (success !== undefined && success === asked.outcome.failed) return NOT_PASSED;
  for (const value of jsonPath) {
    const checked = checkValue(value, asked);
    if (!checked.ok || !checked.value) return checked;
  }
  return PASSED;
};

/**
 * Checks an outcome: `expect` must be satisfied completely, `expectNot` must not be satisfied completely, both where both are
 * present. A missing value equals nothing. An expected value that cannot be rendered is a failure.
 * @spec §2.7
 */
export const checkExpectations = (
  { expect, expectNot }: Expectations,
  outcome: CheckedOutcome,
  data: TemplateData,
  limits: CheckLimits,
): ExpectationsMet => {
  const asked = { outcome, data, limits, searches: limits.searches ?? createSharedLimits() };
  const wanted = expect === undefined ? PASSED : checkExpectation(expect, asked);
  if (!wanted.ok || !wanted.value || expectNot === undefined) return wanted;
  const unwanted = checkExpectation(expectNot, asked);
  return unwanted.ok ? { ok: true, value: !unwanted.value } : unwanted;
};

const listTemplates = ({ place, expected }: ValueExpectation): readonly ValueTemplate[] =>
  place.kind === 'template' ? [expected.parsed, place] : [expected.parsed];

export const listExpectedTemplates = ({
  expect,
  expectNot,
}: Expectations): readonly ValueTemplate[] =>
  [...(expect?.jsonPath ?? []), ...(expectNot?.jsonPath ?? [])].flatMap(listTemplates);
