import { endOfString, QUOTE } from './json-string.ts';

const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Returns whether JSON text (UTF-8) has more than `limit` members, objects and arrays. It runs before the parser, whose time depends
 * on their number: 4 MiB of short members take more than a second. Numbers and texts in arrays are not counted, because the parser
 * reads 4 MiB of them in a few milliseconds.
 */
export const hasMoreValues = (json: Uint8Array, limit: number): boolean => {
  if (json.length <= limit) return false;
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COLON || byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
};
