import type { JsonValue } from '@gateway/crd-schemas';
import { FunctionFailure } from '../../template/template-value.ts';
import { MAX_VALUE_DEPTH } from '../../template/render-limits.ts';
import { tooDeep } from '../depth.ts';

/** Strings, and the brackets outside of them. */
const STRING_OR_BRACKET = /"(?:[^"\\]|\\.)*"?|[[\]{}]/gsu;

/** Whether brackets are nested deeper than values may be. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (const [token] of text.matchAll(STRING_OR_BRACKET)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
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
