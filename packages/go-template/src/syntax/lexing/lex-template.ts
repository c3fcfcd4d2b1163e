import { readToken } from './lex-action.ts';
import { matchAt } from './match-at.ts';
import type { Token, TokenContent } from './token.ts';

/** The tokens of a text, the last one `eof`; or its first problem, at a place in the text. */
export type LexedTemplate =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly at: number; readonly message: string };

interface Scan {
  readonly text: string;
  readonly tokens: Token[];
  at: number;
  /** True when the preceding action trims the blanks that follow it. */
  trimsNext: boolean;
}

interface Problem {
  readonly at: number;
  readonly message: string;
}

const BLANKS = /[ \t\r\n]*/y;
const LEADING = /^[ \t\r\n]+/;
const TRIM_LEFT = /\{\{-(?=[ \t\r\n])/y;
const COMMENT_END = /(?:([ \t\r\n]+-)|)\}\}/y;

const push = (scan: Scan, content: TokenContent, at: number, end: number): void => {
  const glued = scan.tokens.at(-1)?.end === at;
  scan.tokens.push(Object.assign(content, { at, end, glued }));
};

/** Removes the trailing blanks that Go recognizes. */
const withoutTrailing = (text: string): string => {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

const pushText = (scan: Scan, end: number, trimsBefore: boolean): void => {
  const written = scan.text.slice(scan.at, end);
  const started = scan.trimsNext ? written.replace(LEADING, '') : written;
  const text = trimsBefore ? withoutTrailing(started) : started;
  if (text !== '') push(scan, { kind: 'text', text }, scan.at, end);
};

/** Leaves the place behind the comment. */
const skipComment = (scan: Scan): Problem | undefined => {
  const at = scan.at;
  const close = scan.text.indexOf('*/', at + 2);
  if (close === -1) return { at, message: 'unclosed comment' };
  const end = matchAt(COMMENT_END, scan.text, close + 2);
  if (end === undefined) return { at: close, message: 'comment ends before closing delimiter' };
  scan.trimsNext = end[1] !== undefined;
  scan.at = close + 2 + end[0].length;
  return undefined;
};

/** Returns the place behind `}}` when the action ends here. */
const actionEnd = (scan: Scan, blanks: number): number | undefined => {
  const trims = blanks > 0 && scan.text.startsWith('-}}', scan.at);
  if (!trims && !scan.text.startsWith('}}', scan.at)) return undefined;
  scan.trimsNext = trims;
  return scan.at + (trims ? 3 : 2);
};

/** Reads up to the end of the action; the place is behind `{{`. */
const lexAction = (scan: Scan, opened: number): Problem | undefined => {
  push(scan, { kind: 'left' }, opened, scan.at);
  for (;;) {
    const blanks = matchAt(BLANKS, scan.text, scan.at)?.[0].length ?? 0;
    scan.at += blanks;
    const end = actionEnd(scan, blanks);
    if (end !== undefined) {
      push(scan, { kind: 'right' }, scan.at, end);
      scan.at = end;
      return undefined;
    }
    if (scan.at >= scan.text.length) return { at: opened, message: 'unclosed action' };
    const read = readToken(scan.text, scan.at, blanks > 0 ? undefined : scan.tokens.at(-1));
    if (!read.ok) return { at: scan.at, message: read.message };
    push(scan, read.content, scan.at, read.end);
    scan.at = read.end;
  }
};

const lexOpened = (scan: Scan, opened: number): Problem | undefined => {
  const trims = matchAt(TRIM_LEFT, scan.text, opened) !== undefined;
  pushText(scan, opened, trims);
  scan.at = opened + (trims ? 3 : 2);
  const blanks = trims ? (matchAt(BLANKS, scan.text, scan.at)?.[0].length ?? 0) : 0;
  if (!scan.text.startsWith('/*', scan.at + blanks)) return lexAction(scan, opened);
  scan.at += blanks;
  return skipComment(scan);
};

/** Cuts a text into tokens. Trim markers and comments are gone afterwards. */
export const lexTemplate = (text: string): LexedTemplate => {
  const scan: Scan = { text, tokens: [], at: 0, trimsNext: false };
  for (;;) {
    const opened = text.indexOf('{{', scan.at);
    if (opened === -1) break;
    const problem = lexOpened(scan, opened);
    if (problem !== undefined) return { ok: false, ...problem };
  }
  pushText(scan, text.length, false);
  push(scan, { kind: 'eof' }, text.length, text.length);
  return { ok: true, tokens: scan.tokens };
};
