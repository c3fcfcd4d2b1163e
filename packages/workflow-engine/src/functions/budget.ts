import { FunctionFailure, type FunctionContext } from '../template/template-value.ts';

/** The answer of a function for which the budget of the rendering is too small. */
export const tooLarge = (): FunctionFailure =>
  new FunctionFailure('the rendering takes more than it is allowed to');

/** Makes something of a known size (characters or items), if the budget of the rendering allows it. */
export const ifFits = <Made>(
  context: FunctionContext,
  size: number,
  make: () => Made,
): Made | FunctionFailure => (context.spend(size) ? make() : tooLarge());
