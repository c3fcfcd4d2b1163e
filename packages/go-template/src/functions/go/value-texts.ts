import { printed } from './sprint.ts';
import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../values/template-value.ts';

/** Returns the texts of all values that are not null, each as it prints. Charges their length. */
export const valueTexts = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): string[] | FunctionFailure => {
  const texts: string[] = [];
  for (const value of values) {
    if (value === null) continue;
    const text = printed(value, context);
    if (text instanceof FunctionFailure) return text;
    texts.push(text);
  }
  return texts;
};
