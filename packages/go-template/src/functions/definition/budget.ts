import { FunctionFailure, type FunctionContext } from '../../values/template-value.ts';

/** Returns the answer of a function for which the budget of the rendering is too small. */
export const tooLarge = (): FunctionFailure =>
  new FunctionFailure('the rendering takes more than it is allowed to');

/** Reading something once costs a part of its size (characters or items), so that a loop of cheap calls over it ends. */
const READ_PER_UNIT = 16;

/** Returns the cost of reading text or items of this size. */
export const readingUnits = (size: number): number => Math.ceil(size / READ_PER_UNIT);

/** Counts a text that is read and not copied; false when the budget of the rendering is spent. */
export const spendReading = ({ spend }: FunctionContext, text: string): boolean =>
  spend(readingUnits(text.length));

/** Produces a value of a known size (characters or items) if the budget of the rendering allows it. */
export const makeWithinBudget = <Made>(
  context: FunctionContext,
  size: number,
  make: () => Made,
): Made | FunctionFailure => (context.spend(size) ? make() : tooLarge());
