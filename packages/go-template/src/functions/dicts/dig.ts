import { shortenText } from '../../navigation/shorten-text.ts';
import { FunctionFailure, type TemplateFunction } from '../../values/template-value.ts';
import { describeKind } from '../definition/arguments.ts';
import { isMap, ownValue } from '../../values/template-map.ts';

/**
 * `dig key… fallback map`. Returns the fallback when a key is missing; fails when a key is applied to a value that is not a
 * map.
 */
export const dig: TemplateFunction = (args) => {
  const keys = args.slice(0, -2);
  const [fallback = null, start = null] = args.slice(-2);
  let value = start;
  for (const [index, key] of keys.entries()) {
    if (typeof key !== 'string')
      return new FunctionFailure(
        `argument ${index + 1} must be a string, but is ${describeKind(key)}`,
      );
    if (!isMap(value))
      return new FunctionFailure(
        `cannot look for ${JSON.stringify(shortenText(key))} in ${describeKind(value)}`,
      );
    const next = ownValue(value, key);
    if (next === undefined) return fallback;
    value = next;
  }
  return value;
};
