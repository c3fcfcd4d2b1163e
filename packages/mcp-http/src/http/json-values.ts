import { endOfString, QUOTE } from './json-string.ts';

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Returns whether JSON text (UTF-8) has more than `limit` values. It counts the commas and the arrays and objects, so that an empty
 * array counts as one value. It runs before the parser, whose time depends on the number of values: 4 MiB of short members take
 * more than a second.
 */
export const hasMoreValues = (json: Uint8Array, limit: number): boolean => {
  if (json.length <= limit) return false;
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
};
