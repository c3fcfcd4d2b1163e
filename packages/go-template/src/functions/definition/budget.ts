import { FunctionFailure, type FunctionContext } from '../../values/template-value.ts';
import { OVER_BUDGET } from '../../values/value-limits.ts';

/** Returns the answer of a function for which the budget of the rendering is too small. */
export const tooLarge = (): FunctionFailure => new FunctionFailure(OVER_BUDGET);

/** Reading something once costs a part of its size (characters or items), so that a loop of cheap calls over it ends. */
const READ_PER_UNIT = 16;

/** A search for a longer part may compare all of its characters at each position of the text. */
const SHORT_PART = 250;
/** Characters of a long part that are compared for one unit. */
const COMPARED_PER_UNIT = 64;

/** Returns the cost of searching a text for all occurrences of a part. */
export const searchingUnits = (text: string, part: string): number => {
  const perCharacter =
    part.length > SHORT_PART ? part.length / COMPARED_PER_UNIT : 1 / READ_PER_UNIT;
  return Math.ceil(text.length * perCharacter);
};

/** Returns the cost of reading text or items of this size. */
export const readingUnits = (size: number): number => Math.ceil(size / READ_PER_UNIT);

/** Characters that are counted for one unit when every one of them may be an occurrence. */
const COUNTED_PER_UNIT = 2;

/** Returns the cost of counting the occurrences of a part in a text, in addition to searching it. */
export const countingUnits = (text: string): number => Math.ceil(text.length / COUNTED_PER_UNIT);

/** Returns the number of occurrences of a part in a text. An empty part occurs between all characters. */
export const countOccurrences = (text: string, part: string): number => {
  if (part === '') return Array.from(text).length + 1;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
};

/** Counts a text that is read and not copied; false when the budget of the rendering is spent. */
export const spendReading = ({ spend }: FunctionContext, text: string): boolean =>
  spend(readingUnits(text.length));

/** Produces a value of a known size (characters or items) if the budget of the rendering allows it. */
export const makeWithinBudget = <Made>(
  context: FunctionContext,
  size: number,
  make: () => Made,
): Made | FunctionFailure => (context.spend(size) ? make() : tooLarge());
