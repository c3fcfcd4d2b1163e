import { timeText } from '../functions/time-text.ts';
import { jsonOf } from './json-of.ts';
import { FunctionFailure, TemplateTime, type TemplateValue } from './template-value.ts';

/**
 * A value inside a text: texts as they are, numbers as JSON prints them, lists and maps as compact JSON, times as RFC 3339.
 * Fails for what is larger than `maxBytes` or nested too deep.
 */
export const printValue = (value: TemplateValue, maxBytes: number): string | FunctionFailure => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof TemplateTime) return timeText(value);
  const sized = jsonOf(value, maxBytes);
  return sized instanceof FunctionFailure ? sized : JSON.stringify(sized.json);
};
