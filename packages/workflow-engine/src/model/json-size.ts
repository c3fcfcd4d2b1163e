import type { JsonMap, JsonValue } from '@gateway/crd-schemas';
import { isJsonList } from '@gateway/go-template';

/** Maximum nesting of the arguments and results of a run: writing JSON uses one stack frame for each level. */
export const MAX_JSON_LEVELS = 500;

/** Returns whether lists and objects are nested deeper than `levels`. Visits no deeper level. */
export const isDeeperThan = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
};

/** Maximum depth of values, because serialization is recursive. A deeper value counts as too large. */
const MAX_DEPTH = 2000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON has a short escape for these below U+0020: \b \t \n \f \r. */
const isShortEscape = (code: number): boolean => code >= 0x08 && code <= 0x0d && code !== 0x0b;

/** Returns the bytes of a code unit below U+0080 in a JSON string. */
const countAsciiBytes = (code: number): number => {
  if (code < 0x20) return isShortEscape(code) ? 2 : 6;
  return code === QUOTE || code === BACKSLASH ? 2 : 1;
};

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Every character except printable ASCII that JSON writes without an escape. */
const NON_PLAIN = /[^ !#-[\]-~]/;

/** Returns the bytes of a JSON string including quotes, or a number above `limit` when it is longer. */
const countTextBytes = (text: string, limit: number): number => {
  if (text.length > limit) return limit + 1;
  if (!NON_PLAIN.test(text)) return text.length + 2;
  let bytes = 2;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += countAsciiBytes(code);
    else if (code < 0x800) bytes += 2;
    else if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 4;
      at += 1;
    } else bytes += isHighSurrogate(code) || isLowSurrogate(code) ? 6 : 3;
  }
  return bytes;
};

/** The remaining bytes. A negative number means that the limit is exceeded. */
interface ByteBudget {
  left: number;
}

const spendList = (list: readonly JsonValue[], allowance: ByteBudget, depth: number): void => {
  allowance.left -= 2 + Math.max(0, list.length - 1);
  for (const item of list) {
    if (allowance.left < 0) return;
    spend(item, allowance, depth + 1);
  }
};

const spendMap = (map: JsonMap, allowance: ByteBudget, depth: number): void => {
  allowance.left -= 2;
  let members = 0;
  for (const key in map) {
    if (!Object.hasOwn(map, key)) continue;
    if (allowance.left < 0) return;
    allowance.left -= countTextBytes(key, allowance.left) + (members === 0 ? 1 : 2);
    members += 1;
    if (allowance.left >= 0) spend(map[key] as JsonValue, allowance, depth + 1);
  }
};

const spend = (value: JsonValue, allowance: ByteBudget, depth: number): void => {
  if (depth > MAX_DEPTH) allowance.left = -1;
  else if (typeof value === 'string') allowance.left -= countTextBytes(value, allowance.left);
  else if (typeof value !== 'object' || value === null) allowance.left -= String(value).length;
  else if (isJsonList(value)) spendList(value, allowance, depth);
  else spendMap(value, allowance, depth);
};

/**
 * Returns the bytes of a value as compact JSON in UTF-8, or a number above `limit` when it is larger or nested too deeply.
 * Does not create the text, and stops at the limit.
 */
export const countJsonBytes = (value: JsonValue, limit: number): number => {
  const allowance = { left: limit };
  spend(value, allowance, 0);
  return allowance.left < 0 ? limit + 1 : limit - allowance.left;
};

/** Returns whether a value has at most this number of bytes as compact JSON. */
export const canFitBytes = (value: JsonValue, limit: number): boolean =>
  countJsonBytes(value, limit) <= limit;
