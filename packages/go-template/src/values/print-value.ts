import { timeText } from './time-text.ts';
import { jsonOf, type JsonLimits } from './json-of.ts';
import { OVER_BUDGET } from './value-limits.ts';
import { FunctionFailure, TemplateTime, type TemplateValue } from './template-value.ts';

const printNumber = (value: number): string | FunctionFailure =>
  Number.isFinite(value) ? String(value) : new FunctionFailure(`JSON has no number ${value}`);

/** Writing a list or a map as a text, for each byte of it. */
const UNITS_PER_WRITTEN = 2;

const printJson = (value: TemplateValue, limits: JsonLimits): string | FunctionFailure => {
  const sized = jsonOf(value, limits);
  if (sized instanceof FunctionFailure) return sized;
  return limits.spend(UNITS_PER_WRITTEN * sized.bytes)
    ? JSON.stringify(sized.json)
    : new FunctionFailure(OVER_BUDGET);
};

/**
 * A value inside a text: texts as they are, numbers as JSON prints them, lists and maps as compact JSON, times as RFC 3339.
 * Fails for what is larger than allowed or nested too deep.
 */
export const printValue = (value: TemplateValue, limits: JsonLimits): string | FunctionFailure => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'number') return printNumber(value);
  if (value instanceof TemplateTime) return timeText(value);
  return printJson(value, limits);
};
