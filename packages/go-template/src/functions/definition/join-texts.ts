import type { FunctionContext, FunctionFailure } from '../../values/template-value.ts';
import { makeWithinBudget } from './budget.ts';

/** Joins texts with a separator, charged by the length of the result. */
export const joinTexts = (
  texts: readonly string[],
  separator: string,
  context: FunctionContext,
): string | FunctionFailure => {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return makeWithinBudget(context, length + separator.length * texts.length, () =>
    texts.join(separator),
  );
};
