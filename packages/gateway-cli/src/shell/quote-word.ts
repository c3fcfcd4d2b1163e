import type { OpenEnd } from './split-line.ts';

const SPECIAL = /[\s'"\\#]/gu;

/** Returns a word as it is written in a line, continuing the quote with which it starts, if any. */
export function quoteWord(word: string, open: OpenEnd | undefined): string {
  switch (open) {
    case 'single quote':
      return `'${word.replaceAll("'", "'\\''")}'`;
    case 'double quote':
      return `"${word.replaceAll(/["\\$`]/gu, '\\$&')}"`;
    case 'backslash':
    case undefined:
      return word.replaceAll(SPECIAL, '\\$&');
  }
}
