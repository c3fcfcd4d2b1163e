import * as z from 'zod/mini';
import { withFacts } from './field-facts.ts';
import type { TextBounds } from './text-bounds.ts';
import type { TextPattern } from './text-pattern.ts';

/** Returns the length in characters, as JSON Schema and Kubernetes count it. Stops counting past `enough`. */
const charactersUpTo = (text: string, enough: number): number => {
  if (text.length <= enough) return text.length;
  let count = 0;
  for (const _character of text) {
    count += 1;
    if (count > enough) break;
  }
  return count;
};

const matches = (text: string, { regex, also }: TextPattern): boolean =>
  regex.test(text) && (also === undefined || also(text));

/** Returns the first bound that `text` violates, or undefined. Lengths come first, so that a pattern sees bounded text only. */
export const textProblem = (
  text: string,
  { min = 0, max, pattern }: TextBounds,
): string | undefined => {
  if (text.length < min) return 'must not be empty';
  if (charactersUpTo(text, max) > max) return `must be at most ${String(max)} characters`;
  if (pattern === undefined || matches(text, pattern)) return undefined;
  return pattern.mistake?.regex.test(text) === true ? pattern.mistake.must : pattern.must;
};

/** Returns a string field within bounds. */
export const boundedText = (bounds: TextBounds) =>
  withFacts(
    { text: bounds },
    z.string().check((context) => {
      const problem = textProblem(context.value, bounds);
      if (problem !== undefined) {
        context.issues.push({ code: 'custom', input: context.value, message: problem });
      }
    }),
  );
