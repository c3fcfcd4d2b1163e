import { timeText } from './time-text.ts';
import { jsonOf } from './json-of.ts';
import { FunctionFailure, TemplateTime, type TemplateValue } from './template-value.ts';

const printNumber = (value: number): string | FunctionFailure =>
  Number.isFinite(value) ? String(value) : new FunctionFailure(`JSON has no number ${value}`);

/**
 * A value inside a text: texts as they are, numbers as JSON prints them, lists and maps as compact JSON, times as RFC 3339.
 * Fails for what is larger than `maxBytes` or nested too deep.
 */
export const printValue = (value: TemplateValue, maxBytes: number): string | FunctionFailure => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'number') return printNumber(value);
  if (value instanceof TemplateTime) return timeText(value);
  const sized = jsonOf(value, maxBytes);
  return sized instanceof FunctionFailure ? sized : JSON.stringify(sized.json);
};
