import { FunctionFailure, type TemplateFunction } from '../../values/template-value.ts';
import { kindWords } from '../definition/arguments.ts';
import { isMap, ownValue } from '../../values/template-map.ts';

/** `dig key… fallback map`. A missing key gives the fallback; a key of something that is no map fails. */
export const dugOut: TemplateFunction = (args) => {
  const keys = args.slice(0, -2);
  const [fallback = null, start = null] = args.slice(-2);
  let value = start;
  for (const [index, key] of keys.entries()) {
    if (typeof key !== 'string')
      return new FunctionFailure(
        `argument ${index + 1} must be a string, but is ${kindWords(key)}`,
      );
    if (!isMap(value))
      return new FunctionFailure(`cannot look for ${JSON.stringify(key)} in ${kindWords(value)}`);
    const next = ownValue(value, key);
    if (next === undefined) return fallback;
    value = next;
  }
  return value;
};
