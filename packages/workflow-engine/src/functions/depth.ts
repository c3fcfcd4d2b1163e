import { TOO_DEEP } from '../template/render-limits.ts';
import { FunctionFailure } from '../template/template-value.ts';

/** The failure of a function that would have to walk deeper into a value than values go. */
export const tooDeep = (): FunctionFailure => new FunctionFailure(TOO_DEEP);
