import type { FunctionContext, FunctionFailure } from '../../values/template-value.ts';
import { ifFits } from './budget.ts';

/** Texts with a separator between them, charged by their whole length. */
export const joinedText = (
  texts: readonly string[],
  separator: string,
  context: FunctionContext,
): string | FunctionFailure => {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return ifFits(context, length + separator.length * texts.length, () => texts.join(separator));
};
