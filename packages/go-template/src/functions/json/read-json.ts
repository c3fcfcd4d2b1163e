import type { JsonValue } from '../../values/json-value.ts';
import { FunctionFailure } from '../../values/template-value.ts';
import { MAX_VALUE_DEPTH } from '../../values/value-limits.ts';
import { tooDeep } from '../definition/depth.ts';

const QUOTE = '"';
const DEPTH_CHANGES: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [']', -1],
  ['}', -1],
]);

/** Returns the end of the string that starts at a quote; the length of the text when the string has no end. */
const stringEnd = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === '\\' ? 2 : 1;
  return at;
};

/** Returns whether brackets are nested deeper than values may be. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === QUOTE) at = stringEnd(text, at);
    else depth += DEPTH_CHANGES.get(character) ?? 0;
    if (depth > MAX_VALUE_DEPTH) return true;
  }
  return false;
};

/** Parses a text in JSON. */
export const readJson = (text: string): JsonValue | FunctionFailure => {
  if (isTooDeep(text)) return tooDeep();
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return new FunctionFailure('the text is not JSON');
  }
};
