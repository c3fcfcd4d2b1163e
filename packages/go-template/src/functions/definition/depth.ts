import { TOO_DEEP } from '../../values/value-limits.ts';
import { FunctionFailure } from '../../values/template-value.ts';

/** Returns the failure of a function that would have to walk deeper into a value than values go. */
export const tooDeep = (): FunctionFailure => new FunctionFailure(TOO_DEEP);
