import { matchAt } from './match-at.ts';
import { bracketText, readBracket } from './read-bracket.ts';
import { readNumber } from './read-number.ts';
import { readQuoted, readRaw } from './read-quoted.ts';
import type { Mark, Token, TokenContent } from './token.ts';

/** A token that was read, with the place behind it; or what is wrong at its place. */
export type ReadToken =
  | { readonly ok: true; readonly content: TokenContent; readonly end: number }
  | { readonly ok: false; readonly message: string };

const NAME = /-*[\p{L}\p{Nd}_][\p{L}\p{Nd}_-]*/uy;
const WORD = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const VARIABLE = /\$[\p{L}\p{Nd}_]*/uy;
const TERMINATOR = /$|[\s.,|:=()[]|\}\}/y;
const NUMBER_START = /[+-]?\.?\d/y;
const MARKS: readonly Mark[] = ['|', '(', ')', ',', ':=', '='];

const charAt = (text: string, at: number): string =>
  JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));

const refused = (message: string): ReadToken => ({ ok: false, message });

const ended = (text: string, content: TokenContent, end: number): ReadToken =>
  matchAt(TERMINATOR, text, end) === undefined
    ? refused(`unexpected ${charAt(text, end)} in action`)
    : { ok: true, content, end };

/** Returns whether a step can follow the token: `.a.b`, `$x.b`, `(...).b`. */
const canCarry = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'step' ||
    token.kind === 'variable' ||
    token.kind === 'word' ||
    token.kind === 'dot' ||
    token.kind === 'literal' ||
    (token.kind === 'mark' && token.mark === ')'));

const fieldAt = (text: string, at: number): ReadToken | undefined => {
  const key = matchAt(NAME, text, at + 1)?.[0];
  if (key === undefined) return undefined;
  const end = at + 1 + key.length;
  if (key.endsWith('-') && text.startsWith('}}', end)) {
    return refused('a trim marker needs a blank before it: " -}}"');
  }
  return ended(text, { kind: 'step', step: { kind: 'key', key } }, end);
};

const numberAt = (text: string, at: number): ReadToken | undefined => {
  if (matchAt(NUMBER_START, text, at) === undefined) return undefined;
  const number = readNumber(text, at);
  if (!number.ok) return number;
  return ended(text, { kind: 'literal', value: number.value }, number.end);
};

const dotAt = (text: string, at: number, carried: boolean): ReadToken =>
  (carried ? undefined : numberAt(text, at)) ??
  fieldAt(text, at) ??
  ended(text, { kind: 'dot' }, at + 1);

const bracketAt = (text: string, at: number, carried: boolean): ReadToken => {
  if (!carried) return refused('unexpected "[" in action');
  const bracket = readBracket(text, at);
  if (!bracket.ok) return refused(bracketText(bracket));
  return ended(text, { kind: 'step', step: bracket.step }, bracket.end);
};

const stringAt = (text: string, at: number): ReadToken => {
  const quoted = text[at] === '"' ? readQuoted(text, at) : readRaw(text, at);
  if (!quoted.ok) return quoted;
  return { ok: true, content: { kind: 'literal', value: quoted.value }, end: quoted.end };
};

const characterAt = (text: string, at: number): ReadToken => {
  const quoted = readQuoted(text, at);
  const [char, ...more] = quoted.ok ? quoted.value : '';
  if (!quoted.ok || char === undefined || more.length > 0) {
    return refused('malformed character constant');
  }
  return ended(text, { kind: 'literal', value: char.codePointAt(0) ?? 0 }, quoted.end);
};

const markAt = (text: string, at: number): ReadToken | undefined => {
  const mark = MARKS.find((candidate) => text.startsWith(candidate, at));
  return mark && { ok: true, content: { kind: 'mark', mark }, end: at + mark.length };
};

const wordAt = (text: string, at: number): ReadToken | undefined => {
  const variable = matchAt(VARIABLE, text, at)?.[0];
  if (variable !== undefined) {
    return ended(text, { kind: 'variable', name: variable }, at + variable.length);
  }
  const word = matchAt(WORD, text, at)?.[0];
  return word === undefined ? undefined : ended(text, { kind: 'word', word }, at + word.length);
};

const STARTS: Readonly<Record<string, (text: string, at: number, carried: boolean) => ReadToken>> =
  {
    '.': dotAt,
    '[': bracketAt,
    '"': stringAt,
    '`': stringAt,
    "'": characterAt,
  };

/** Reads the token at a position inside an action; `before` is the token that ends exactly there, if any. */
export const readToken = (text: string, at: number, before: Token | undefined): ReadToken => {
  const start = STARTS[text.charAt(at)];
  if (start !== undefined) return start(text, at, canCarry(before));
  return (
    markAt(text, at) ??
    wordAt(text, at) ??
    numberAt(text, at) ??
    refused(`unexpected ${charAt(text, at)} in action`)
  );
};
