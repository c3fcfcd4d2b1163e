/** An instant inside a template: it prints as RFC 3339 in UTC and leaves the template as that text. */
export class TemplateTime {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** Minutes east of UTC in which it prints. */
  readonly offsetMinutes: number;

  constructor(ms: number, offsetMinutes = 0) {
    this.ms = ms;
    this.offsetMinutes = offsetMinutes;
  }
}

/** The values of template expressions: JSON and times. Only own keys of objects count. */
export type TemplateValue =
  | null
  | boolean
  | number
  | string
  | TemplateTime
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue };

/** The reason that a function has no result, as the end of a sentence: `cannot parse "x" as a number`. */
export class FunctionFailure {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The environment of a function. */
export interface FunctionContext {
  /** The present time in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Counts work and memory against the budget of the rendering. A unit is a byte of memory or about ten nanoseconds of work. Call it
   * before work whose size depends on arguments (`repeat`, `until`, `indent`). False means that the budget is spent: return a failure.
   */
  readonly spend: (amount: number) => boolean;
}

/** A function of the template dialect. Pure; never throws; bounded by `spend`. The number of arguments is validated before. */
export type TemplateFunction = (
  args: readonly TemplateValue[],
  context: FunctionContext,
) => TemplateValue | FunctionFailure;

/** Levels of one value. */
export const MAX_VALUE_DEPTH = 1000;

/** The reason that a value with more levels is refused. */
export const TOO_DEEP = `the value is nested more than ${MAX_VALUE_DEPTH} levels deep`;

/** The reason that a rendering ends whose work or memory exceeds its budget. */
export const OVER_BUDGET = 'the rendering takes more than it is allowed to';

/** A map of a template. Only own keys count: read it with {@link findOwnValue}. */
export type TemplateMap = { readonly [key: string]: TemplateValue };

/** Returns whether a value is a map: neither a list nor a time. */
export const isMap = (value: TemplateValue | FunctionFailure): value is TemplateMap =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof TemplateTime) &&
  !(value instanceof FunctionFailure);

export const isList = (value: TemplateValue | FunctionFailure): value is readonly TemplateValue[] =>
  Array.isArray(value);

/** Copying one entry of a map. */
export const UNITS_PER_ENTRY = 32;

/** Returns the value of an own key; `__proto__` is an ordinary key. */
export const findOwnValue = (map: TemplateMap, key: string): TemplateValue | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

/** Returns a map of these entries, all of them own keys; of two with one key the later counts. */
export const createMap = (entries: Iterable<readonly [string, TemplateValue]>): TemplateMap =>
  Object.fromEntries(entries);

/** Orders texts by code points, as Go orders its strings of UTF-8. */
export const compareCodePoints = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === length) return left.length - right.length;
  return readCodePoint(left, at) - readCodePoint(right, at);
};

// A difference in the second half of a surrogate pair is a difference of the pair.
const readCodePoint = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  const before = at > 0 ? text.charCodeAt(at - 1) : 0;
  const insidePair = unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return text.codePointAt(insidePair ? at - 1 : at) ?? 0;
};

/** Counts work against a budget; false when it is spent. */
export type Spend = (units: number) => boolean;

/** The cost of a comparison in addition to the characters that it reads. */
const UNITS_PER_COMPARISON = 8;

/** Compares texts until the budget is spent. Sorting cannot be ended early; without comparisons, the rest of it is fast. */
class Comparisons {
  readonly #spend: Spend;
  #areSpent = false;

  constructor(spend: Spend) {
    this.#spend = spend;
  }

  get areSpent(): boolean {
    return this.#areSpent;
  }

  compare(left: string, right: string): number {
    this.#areSpent ||= !this.#spend(UNITS_PER_COMPARISON + Math.min(left.length, right.length));
    return this.#areSpent ? 0 : compareCodePoints(left, right);
  }
}

/**
 * Sorts texts in place by code points. Charges every comparison by the characters that it may read; returns undefined when the
 * budget is spent.
 */
export const sortTexts = (texts: string[], spend: Spend): string[] | undefined => {
  if (!spend(texts.length)) return undefined;
  const within = new Comparisons(spend);
  texts.sort((left, right) => within.compare(left, right));
  return within.areSpent ? undefined : texts;
};

/** Listing a key of a large map. */
const UNITS_PER_LISTED = 8;

/** Maps whose keys were listed, with their number at that time: the next listing is charged before it begins. */
const keyCounts = new WeakMap<object, number>();
/** Listing fewer keys takes no longer than finding their number. */
const REMEMBERED_KEYS = 1000;

/** Lists the keys of a map in their own order; returns undefined when the budget is spent. */
export const listMapKeys = (map: TemplateMap, spend: Spend): string[] | undefined => {
  const known = keyCounts.get(map);
  if (known !== undefined && !spend(UNITS_PER_LISTED * known)) return undefined;
  const keys = Object.keys(map);
  if (known !== undefined) return keys;
  if (keys.length >= REMEMBERED_KEYS) keyCounts.set(map, keys.length);
  return spend(UNITS_PER_LISTED * keys.length) ? keys : undefined;
};

/** Returns the keys of a map in the order in which templates iterate over them; undefined when the budget is spent. */
export const listSortedKeys = (map: TemplateMap, spend: Spend): string[] | undefined => {
  const keys = listMapKeys(map, spend);
  return keys && sortTexts(keys, spend);
};

/**
 * Maps that are known to have keys. A map never loses a key; finding the first key of a large map takes as long as listing all.
 */
const nonEmptyMaps = new WeakSet();

const hasOwnKey = (map: object): boolean => {
  if (nonEmptyMaps.has(map)) return true;
  if (Object.keys(map).length === 0) return false;
  nonEmptyMaps.add(map);
  return true;
};

/** Returns whether `if`, `with`, `and`, `or` and `not` treat a value as true: any value except false, 0, null and empty ones. */
export const isTrue = (value: TemplateValue): boolean => {
  if (typeof value !== 'object' || value === null) return Boolean(value) || Number.isNaN(value);
  if (value instanceof TemplateTime) return true;
  return Array.isArray(value) ? value.length > 0 : hasOwnKey(value);
};
