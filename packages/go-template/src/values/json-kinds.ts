import type { JsonMap, JsonValue } from './json-value.ts';

/** Returns whether a value is a JSON object: neither null nor an array. */
export const isJsonMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a JSON value is an array. `Array.isArray` loses the type of its items. */
export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);
