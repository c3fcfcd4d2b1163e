import type { JsonMap, JsonValue } from './json-value.ts';

/** Whether a value is an object of JSON: neither null nor a list. */
export const isJsonMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value of JSON is a list. `Array.isArray` takes the type of its items away. */
export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);
