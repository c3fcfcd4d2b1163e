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

/**
 * Returns whether a value has the type of an argument: nothing is converted, `null` has no type, 5.0 is an integer and 1.5 is
 * not. @spec §2.7
 */
export const argumentFits = (type: ArgumentType, value: JsonValue): boolean => checks[type](value);
