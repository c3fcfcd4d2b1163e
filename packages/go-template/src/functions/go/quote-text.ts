const NAMED: Readonly<Record<string, string>> = {
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
  '\\': String.raw`\\`,
};
/** Characters that Go escapes. */
export const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Unprintable characters, and all beyond ASCII. */
export const NOT_ASCII = /[^ -~]/u;

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const escaped = (char: string, quote: string, toEscape: RegExp): string => {
  if (char === quote) return `\\${quote}`;
  const named = NAMED[char];
  if (named !== undefined) return named;
  if (!toEscape.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
};

/** Characters that are joined at once: appending each to the text would take a string object for each. */
const CHUNK = 4096;

/** Returns a text in quotes, with Go's escapes. */
export const quoteText = (
  text: string,
  quote: '"' | "'" = '"',
  toEscape: RegExp = UNPRINTABLE,
): string => {
  const chunks: string[] = [];
  let pieces: string[] = [];
  for (const char of text) {
    pieces.push(escaped(char, quote, toEscape));
    if (pieces.length < CHUNK) continue;
    chunks.push(pieces.join(''));
    pieces = [];
  }
  return `${quote}${chunks.join('')}${pieces.join('')}${quote}`;
};
