import { FunctionFailure, type FunctionContext } from '../template/template-value.ts';

/** The answer of a function for which the budget of the rendering is too small. */
export const tooLarge = (): FunctionFailure =>
  new FunctionFailure('the rendering takes more than it is allowed to');

/** Looking through characters of a text takes as long as making one unit of something. */
const READ_CHARS_PER_UNIT = 16;

/** Counts a text that is read and not copied; false when the budget of the rendering is spent. */
export const spendReading = ({ spend }: FunctionContext, text: string): boolean =>
  spend(Math.ceil(text.length / READ_CHARS_PER_UNIT));

/** Makes something of a known size (characters or items), if the budget of the rendering allows it. */
export const ifFits = <Made>(
  context: FunctionContext,
  size: number,
  make: () => Made,
): Made | FunctionFailure => (context.spend(size) ? make() : tooLarge());
