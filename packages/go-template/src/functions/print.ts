import { makeWithinBudget, createBudgetFailure } from './definition.ts';
import { printValue } from '../values/export-json.ts';
import {
  type FunctionContext,
  FunctionFailure,
  type TemplateValue,
} from '../values/template-value.ts';

/** The largest output of one call, in bytes; a smaller budget of the rendering ends it earlier. */
const MAX_PRINTED_BYTES = 16 * 1024 * 1024;

/** Returns a value as a text shows it, charged by its length. */
export const formatTemplateValue = (
  value: TemplateValue,
  context: FunctionContext,
): string | FunctionFailure => {
  const text = printValue(value, { maxBytes: MAX_PRINTED_BYTES, spend: context.spend });
  if (text instanceof FunctionFailure) return text;
  return context.spend(text.length) ? text : createBudgetFailure();
};

const printEach = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): string[] | FunctionFailure => {
  const texts: string[] = [];
  for (const value of values) {
    const text = formatTemplateValue(value, context);
    if (text instanceof FunctionFailure) return text;
    texts.push(text);
  }
  return texts;
};

/** Returns Go's `Sprint`: a blank between two values neither of which is a string. */
export const formatSprint = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): string | FunctionFailure => {
  const texts = printEach(values, context);
  if (texts instanceof FunctionFailure) return texts;
  const isText = (at: number): boolean => typeof values[at] === 'string';
  return texts
    .map((text, at) => (at > 0 && !isText(at - 1) && !isText(at) ? ` ${text}` : text))
    .join('');
};

/** Returns Go's `Sprintln`: a blank between all values, and the end of the line. */
export const formatSprintln = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): string | FunctionFailure => {
  const texts = printEach(values, context);
  return texts instanceof FunctionFailure ? texts : `${texts.join(' ')}\n`;
};

/** Returns the texts of all values that are not null, each as it prints. Charges their length. */
export const listValueTexts = (
  values: readonly TemplateValue[],
  context: FunctionContext,
): string[] | FunctionFailure =>
  printEach(
    values.filter((value) => value !== null),
    context,
  );

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

const formatHex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const escapeText = (char: string, quote: string, toEscape: RegExp): string => {
  if (char === quote) return `\\${quote}`;
  const named = NAMED[char];
  if (named !== undefined) return named;
  if (!toEscape.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${formatHex(code, 2)}`;
  return code > 0xffff ? `\\U${formatHex(code, 8)}` : `\\u${formatHex(code, 4)}`;
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
    pieces.push(escapeText(char, quote, toEscape));
    if (pieces.length < CHUNK) continue;
    chunks.push(pieces.join(''));
    pieces = [];
  }
  return `${quote}${chunks.join('')}${pieces.join('')}${quote}`;
};

/** Joins texts with a separator, charged by the length of the result. */
export const joinTexts = (
  texts: readonly string[],
  separator: string,
  context: FunctionContext,
): string | FunctionFailure => {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return makeWithinBudget(context, length + separator.length * texts.length, () =>
    texts.join(separator),
  );
};
