import { FunctionFailure, TemplateTime, type TemplateValue } from './template-value.ts';

/** A map of a template. Only own keys count: read it with {@link ownValue}. */
export type TemplateMap = { readonly [key: string]: TemplateValue };

/** Returns whether a value is a map: neither a list nor a time. */
export const isMap = (value: TemplateValue | FunctionFailure): value is TemplateMap =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof TemplateTime) &&
  !(value instanceof FunctionFailure);

/** Returns whether a value is a list. */
export const isList = (value: TemplateValue | FunctionFailure): value is readonly TemplateValue[] =>
  Array.isArray(value);

/** Copying one entry of a map costs as much as copying this number of items of a list. */
export const UNITS_PER_ENTRY = 8;

/** Returns the value of an own key; `__proto__` is an ordinary key. */
export const ownValue = (map: TemplateMap, key: string): TemplateValue | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

/** Returns a map of these entries, all of them own keys; of two with one key the later counts. */
export const mapOf = (entries: Iterable<readonly [string, TemplateValue]>): TemplateMap =>
  Object.fromEntries(entries);

/** Orders texts by code points, as Go orders its strings of UTF-8. */
export const byCodePoints = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === length) return left.length - right.length;
  return codePointAround(left, at) - codePointAround(right, at);
};

// A difference in the second half of a surrogate pair is a difference of the pair.
const codePointAround = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  const before = at > 0 ? text.charCodeAt(at - 1) : 0;
  const insidePair = unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return text.codePointAt(insidePair ? at - 1 : at) ?? 0;
};

/** Returns the keys of a map in the order in which templates iterate over them. */
export const sortedKeys = (map: TemplateMap): string[] => Object.keys(map).sort(byCodePoints);
