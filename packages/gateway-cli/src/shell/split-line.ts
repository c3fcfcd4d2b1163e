/** One word of a line. */
export interface LineWord {
  /** The word without quotes. */
  readonly text: string;
  /** The position in the line where it starts, with its quote. */
  readonly start: number;
  /** The position after its last character. */
  readonly end: number;
}

/** The quote or escape that is open at the end of a line. */
export type OpenEnd = 'single quote' | 'double quote' | 'backslash';

/** The words of a line. */
export interface SplitLine {
  readonly words: readonly LineWord[];
  readonly open?: OpenEnd;
  /** The end of the line is within a comment. */
  readonly isComment: boolean;
}

const BLANK = /\s/u;
const ESCAPED_IN_DOUBLE_QUOTES: ReadonlySet<string> = new Set(['"', '\\', '$', '`']);

/** A word in progress and the rest of the line. */
interface Reader {
  readonly line: string;
  at: number;
}

/** Reads the part of a word up to the closing quote. */
function readSingleQuoted(reader: Reader): { text: string; open?: OpenEnd } {
  const start = reader.at + 1;
  const end = reader.line.indexOf("'", start);
  reader.at = end === -1 ? reader.line.length : end + 1;
  return end === -1
    ? { text: reader.line.slice(start), open: 'single quote' }
    : { text: reader.line.slice(start, end) };
}

function readDoubleQuoted(reader: Reader): { text: string; open?: OpenEnd } {
  const { line } = reader;
  let text = '';
  for (reader.at += 1; reader.at < line.length; reader.at += 1) {
    const char = line.charAt(reader.at);
    const next = line.charAt(reader.at + 1);
    if (char === '"') {
      reader.at += 1;
      return { text };
    }
    if (char === '\\' && ESCAPED_IN_DOUBLE_QUOTES.has(next)) {
      text += next;
      reader.at += 1;
    } else text += char;
  }
  return { text, open: 'double quote' };
}

function readPlain(reader: Reader): { text: string; open?: OpenEnd } {
  const char = reader.line.charAt(reader.at);
  reader.at += 1;
  if (char !== '\\') return { text: char };
  if (reader.at >= reader.line.length) return { text: '', open: 'backslash' };
  reader.at += 1;
  return { text: reader.line.charAt(reader.at - 1) };
}

function readPart(reader: Reader): { text: string; open?: OpenEnd } {
  const char = reader.line.charAt(reader.at);
  if (char === "'") return readSingleQuoted(reader);
  return char === '"' ? readDoubleQuoted(reader) : readPlain(reader);
}

/**
 * Splits a line into words as sh does, without any expansion: blanks separate words, single quotes keep everything, double quotes keep
 * everything but `\"`, `\\`, `\$` and a backslash before a backquote, a backslash keeps the next character, and `#` at the start of a word
 * begins a comment. `$`, `*`, `;`, `|`, `&`, `<` and `>` have no meaning. POSIX.1-2024, Shell Command Language, 2.2 Quoting
 */
export function splitLine(line: string): SplitLine {
  const reader: Reader = { line, at: 0 };
  const words: LineWord[] = [];
  while (reader.at < line.length) {
    const start = reader.at;
    if (BLANK.test(line.charAt(start))) {
      reader.at += 1;
      continue;
    }
    if (line.startsWith('#', start)) return { words, isComment: true };
    const { text, open } = readWord(reader);
    words.push({ text, start, end: reader.at });
    if (open !== undefined) return { words, open, isComment: false };
  }
  return { words, isComment: false };
}

function readWord(reader: Reader): { text: string; open?: OpenEnd } {
  let text = '';
  while (reader.at < reader.line.length && !BLANK.test(reader.line.charAt(reader.at))) {
    const part = readPart(reader);
    text += part.text;
    if (part.open !== undefined) return { text, open: part.open };
  }
  return { text };
}
