import type { JsonValue } from '@gateway/crd-schemas';
import { FunctionFailure } from '../../template/template-value.ts';
import { MAX_VALUE_DEPTH } from '../../template/render-limits.ts';
import { tooDeep } from '../depth.ts';

/** Whether brackets outside of strings are nested deeper than allowed. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === '[' || character === '{')) depth += 1;
    else if (!inString && (character === ']' || character === '}')) depth -= 1;
    if (depth > MAX_VALUE_DEPTH) return true;
  }
  return false;
};

/** The value that a text in JSON stands for. */
export const readJson = (text: string): JsonValue | FunctionFailure => {
  if (isTooDeep(text)) return tooDeep();
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return new FunctionFailure('the text is not JSON');
  }
};
