import { isMapping } from '../../fields/is-mapping.ts';
import type { JsonValue } from '@gateway/go-template';
import type { ArgumentType } from '../model/workflow.ts';

const checks: Readonly<Record<ArgumentType, (value: JsonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  object: isMapping,
  array: (value) => Array.isArray(value),
};

/** Whether a value is of an argument's type: nothing is converted, `null` is of no type, 5.0 is an integer and 1.5 is none. @spec §2.7 */
export const argumentFits = (type: ArgumentType, value: JsonValue): boolean => checks[type](value);
