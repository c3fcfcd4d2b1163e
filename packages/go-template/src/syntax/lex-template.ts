import type { PathStep } from './template.ts';
import {
  matchAt,
  type LiteralRead,
  readBracket,
  readNumber,
  readQuoted,
  readRaw,
} from './literals.ts';

/** The punctuation tokens. */
export type Mark = '|' | '(' | ')' | ',' | ':=' | '=';

export type TokenContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'left' }
  | { readonly kind: 'right' }
  | { readonly kind: 'dot' }
  /** `.name`, `[0]`, `["name"]`. */
  | { readonly kind: 'step'; readonly step: PathStep }
  /** With its `$`. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'literal'; readonly value: number | string }
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'eof' };

/** A piece of a template's text, from `at` up to but not including `end`. */
export type Token = TokenContent & {
  readonly at: number;
  readonly end: number;
  /** True when it follows the preceding token without a blank. */
  readonly glued: boolean;
};

type ReadToken = LiteralRead<TokenContent>;

const NAME = /-*[\p{L}\p{Nd}_][\p{L}\p{Nd}_-]*/uy;
const WORD = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const VARIABLE = /\$[\p{L}\p{Nd}_]*/uy;
const TERMINATOR = /$|[\s.,|:=()[]|\}\}/y;
const NUMBER_START = /[+-]?\.?\d/y;
const MARKS: readonly Mark[] = ['|', '(', ')', ',', ':=', '='];

const quoteCharacter = (text: string, at: number): string =>
  JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));

const createFailure = (message: string): ReadToken => ({ ok: false, message });

const endToken = (text: string, content: TokenContent, end: number): ReadToken =>
  matchAt(TERMINATOR, text, end) === undefined
    ? createFailure(`unexpected ${quoteCharacter(text, end)} in action`)
    : { ok: true, value: content, end };

/** Returns whether a step can follow the token: `.a.b`, `$x.b`, `(...).b`. */
const canCarry = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'step' ||
    token.kind === 'variable' ||
    token.kind === 'word' ||
    token.kind === 'dot' ||
    token.kind === 'literal' ||
    (token.kind === 'mark' && token.mark === ')'));

const readFieldToken = (text: string, at: number): ReadToken | undefined => {
  const key = matchAt(NAME, text, at + 1)?.[0];
  if (key === undefined) return undefined;
  const end = at + 1 + key.length;
  if (key.endsWith('-') && text.startsWith('}}', end)) {
    return createFailure('a trim marker needs a blank before it: " -}}"');
  }
  return endToken(text, { kind: 'step', step: { kind: 'key', key } }, end);
};

const readNumberToken = (text: string, at: number): ReadToken | undefined => {
  if (matchAt(NUMBER_START, text, at) === undefined) return undefined;
  const number = readNumber(text, at);
  if (!number.ok) return number;
  return endToken(text, { kind: 'literal', value: number.value }, number.end);
};

const readDotToken = (text: string, at: number, carried: boolean): ReadToken =>
  (carried ? undefined : readNumberToken(text, at)) ??
  readFieldToken(text, at) ??
  endToken(text, { kind: 'dot' }, at + 1);

const readBracketToken = (text: string, at: number, carried: boolean): ReadToken => {
  if (!carried) return createFailure('unexpected "[" in action');
  const bracket = readBracket(text, at);
  if (!bracket.ok) return bracket;
  return endToken(text, { kind: 'step', step: bracket.value }, bracket.end);
};

const readStringToken = (text: string, at: number): ReadToken => {
  const quoted = text[at] === '"' ? readQuoted(text, at) : readRaw(text, at);
  if (!quoted.ok) return quoted;
  return { ok: true, value: { kind: 'literal', value: quoted.value }, end: quoted.end };
};

const readCharacterToken = (text: string, at: number): ReadToken => {
  const quoted = readQuoted(text, at);
  const [char, ...more] = quoted.ok ? quoted.value : '';
  if (!quoted.ok || char === undefined || more.length > 0) {
    return createFailure('malformed character constant');
  }
  return endToken(text, { kind: 'literal', value: char.codePointAt(0) ?? 0 }, quoted.end);
};

const readMarkToken = (text: string, at: number): ReadToken | undefined => {
  const mark = MARKS.find((candidate) => text.startsWith(candidate, at));
  return mark && { ok: true, value: { kind: 'mark', mark }, end: at + mark.length };
};

const readWordToken = (text: string, at: number): ReadToken | undefined => {
  const variable = matchAt(VARIABLE, text, at)?.[0];
  if (variable !== undefined) {
    return endToken(text, { kind: 'variable', name: variable }, at + variable.length);
  }
  const word = matchAt(WORD, text, at)?.[0];
  return word === undefined ? undefined : endToken(text, { kind: 'word', word }, at + word.length);
};

const STARTS: Readonly<Record<string, (text: string, at: number, carried: boolean) => ReadToken>> =
  {
    '.': readDotToken,
    '[': readBracketToken,
    '"': readStringToken,
    '`': readStringToken,
    "'": readCharacterToken,
  };

/** Reads the token at a position inside an action; `before` is the token that ends exactly there, if any. */
const readToken = (text: string, at: number, before: Token | undefined): ReadToken => {
  const start = STARTS[text.charAt(at)];
  if (start !== undefined) return start(text, at, canCarry(before));
  return (
    readMarkToken(text, at) ??
    readWordToken(text, at) ??
    readNumberToken(text, at) ??
    createFailure(`unexpected ${quoteCharacter(text, at)} in action`)
  );
};

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
const findActionEnd = (scan: Scan, blanks: number): number | undefined => {
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
    const end = findActionEnd(scan, blanks);
    if (end !== undefined) {
      push(scan, { kind: 'right' }, scan.at, end);
      scan.at = end;
      return undefined;
    }
    if (scan.at >= scan.text.length) return { at: opened, message: 'unclosed action' };
    const read = readToken(scan.text, scan.at, blanks > 0 ? undefined : scan.tokens.at(-1));
    if (!read.ok) return { at: scan.at, message: read.message };
    push(scan, read.value, scan.at, read.end);
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
