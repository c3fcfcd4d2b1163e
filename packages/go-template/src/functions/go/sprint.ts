import { tooLarge } from '../definition/budget.ts';
import { printValue } from '../../values/print-value.ts';
import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../values/template-value.ts';

/** The largest output of one call, in bytes; a smaller budget of the rendering ends it earlier. */
const MAX_PRINTED_BYTES = 16 * 1024 * 1024;

/** Returns a value as a text shows it, charged by its length. */
export const printed = (
  value: TemplateValue,
  context: FunctionContext,
): string | FunctionFailure => {
  const text = printValue(value, { maxBytes: MAX_PRINTED_BYTES, spend: context.spend });
  if (text instanceof FunctionFailure) return text;
  return context.spend(text.length) ? text : tooLarge();
};

/** Returns Go's `Sprint`: a blank between two values neither of which is a string. */
export const sprint = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): string | FunctionFailure => {
  const parts: string[] = [];
  let before: TemplateValue | undefined;
  for (const value of values) {
    const text = printed(value, context);
    if (text instanceof FunctionFailure) return text;
    if (before !== undefined && typeof before !== 'string' && typeof value !== 'string') {
      parts.push(' ');
    }
    parts.push(text);
    before = value;
  }
  return parts.join('');
};

/** Returns Go's `Sprintln`: a blank between all values, and the end of the line. */
export const sprintln = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): string | FunctionFailure => {
  const parts: string[] = [];
  for (const value of values) {
    const text = printed(value, context);
    if (text instanceof FunctionFailure) return text;
    parts.push(text);
  }
  return `${parts.join(' ')}\n`;
};
