import type { JsonMap } from '@gateway/crd-schemas';

/** Whether a value is an object of JSON: neither null nor a list. */
export const isJsonMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
