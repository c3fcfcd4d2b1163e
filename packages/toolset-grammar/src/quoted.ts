/** A quote, a backslash, or what Go's `strconv.IsPrint` refuses: anything but letters, marks, numbers, punctuation, symbols and the ASCII space. */
const ESCAPED = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

const FIRST_NON_ASCII = 0x80;
const FIRST_ASTRAL = 0x10000;

const formatHex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const escape = (character: string): string => {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < FIRST_NON_ASCII) return `\\x${formatHex(code, 2)}`;
  return code < FIRST_ASTRAL ? `\\u${formatHex(code, 4)}` : `\\U${formatHex(code, 8)}`;
};

/**
 * The text in double quotes as Go's `%q` prints it, so that a refusal reads the same in every component.
 * For printable ASCII this is also JSON. What cannot be seen is escaped: controls, direction marks,
 * every space but the ASCII one, lone surrogates.
 *
 * @spec §7.1
 */
export const quoteText = (text: string): string => `"${text.replace(ESCAPED, escape)}"`;
