import { endOfString, QUOTE } from './json-string.ts';

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Returns whether JSON text (UTF-8) is nested deeper than `limit` levels of arrays and objects. It runs before the parser, so
 * that no later recursion over the value can exhaust the stack.
 */
export const isNestedDeeper = (json: Uint8Array, limit: number): boolean => {
  if (json.length <= limit) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
  return false;
};
