import type { PathStep } from './template.ts';

/** Matches a sticky pattern at exactly this place of a text. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};

const DIGITS =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9]+)?|0[bB][01_]+|0[oO][0-7_]+|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?)/y;
const WORD = /[\p{L}\p{Nd}_.]*/uy;
const OCTAL = /^0[0-7]+$/;
const PREFIXED = /^0[box][0-9a-f]+$/;
const HEX_FLOAT = /^0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/;
const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/;
const MISPLACED = /^_|__|_$|_\.|\._|_[ep]/;

/** The part of a text that was read, with the place behind it; or what is wrong with it. */
export type LiteralRead<Value> =
  | { readonly ok: true; readonly value: Value; readonly end: number }
  | { readonly ok: false; readonly message: string };

const parseHexFloat = (digits: string): number | undefined => {
  const [, whole, fraction = '', exponent] = HEX_FLOAT.exec(digits) ?? [];
  if (whole === undefined || whole.length + fraction.length === 0) return undefined;
  const mantissa = Number.parseInt(`${whole}${fraction}`, 16);
  return mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
};

const computeMagnitude = (digits: string): number | undefined => {
  if (OCTAL.test(digits)) return Number.parseInt(digits, 8);
  if (PREFIXED.test(digits)) return Number(digits);
  if (DECIMAL.test(digits)) return Number(digits);
  return parseHexFloat(digits);
};

const isWhole = (digits: string): boolean => /^\d+$/.test(digits) || PREFIXED.test(digits);

const resolveValue = (digits: string): number | undefined => {
  const value = computeMagnitude(digits);
  return value === undefined || Number.isNaN(value) ? undefined : value;
};

const isExact = (value: number, digits: string): boolean =>
  Number.isFinite(value) && (!isWhole(digits) || Number.isSafeInteger(value));

/** Reads a number as Go writes it: `12`, `0x1F`, `0b11`, `0o17`, `017`, `1_000`, `.5`, `1e3`, `0x1p-2`, with or without sign. */
export const readNumber = (text: string, at: number): LiteralRead<number> => {
  const matched = matchAt(DIGITS, text, at)?.[0] ?? '';
  const rest = matchAt(WORD, text, at + matched.length)?.[0] ?? '';
  const written = JSON.stringify(`${matched}${rest}`.slice(0, 64));
  const unsigned = matched.replace(/^[+-]/, '').toLowerCase();
  const digits = unsigned.replaceAll('_', '');
  const value = rest !== '' || MISPLACED.test(unsigned) ? undefined : resolveValue(digits);
  if (value === undefined) return { ok: false, message: `bad number syntax: ${written}` };
  if (!isExact(value, digits)) return { ok: false, message: `number out of range: ${written}` };
  return { ok: true, value: matched.startsWith('-') ? -value : value, end: at + matched.length };
};

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

const ESCAPE = /\\(?:([abfnrtv\\"'])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const BYTES = /(?:\\(?:x[0-9a-fA-F]{2}|[0-3][0-7]{2}))+/y;
const ONE_BYTE = /\\(?:x([0-9a-fA-F]{2})|([0-3][0-7]{2}))/g;
const PLAIN = /[^\\"'\n]+/y;

const toCharacter = (hex: string): string | undefined => {
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return String.fromCodePoint(code);
};

const decodeBytes = (escapes: string): string | undefined => {
  const percent = escapes.replace(ONE_BYTE, (_all, hex?: string, octal?: string) => {
    const byte = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
    return `%${byte.toString(16).padStart(2, '0')}`;
  });
  try {
    return decodeURIComponent(percent);
  } catch {
    return undefined;
  }
};

const escapeAt = (text: string, at: number): { value: string; end: number } | undefined => {
  const bytes = matchAt(BYTES, text, at)?.[0];
  if (bytes !== undefined) {
    const value = decodeBytes(bytes);
    return value === undefined ? undefined : { value, end: at + bytes.length };
  }
  const match = matchAt(ESCAPE, text, at);
  if (match === undefined) return undefined;
  const [all, simple, short, long] = match;
  const value = simple === undefined ? toCharacter(short ?? long ?? '') : SIMPLE[simple];
  return value === undefined ? undefined : { value, end: at + all.length };
};

/** Reads a text in double or single quotes with Go's escapes; `at` is the place of the first quote. It ends on its line. */
export const readQuoted = (text: string, at: number): LiteralRead<string> => {
  const quote = text[at];
  const parts: string[] = [];
  let next = at + 1;
  while (next < text.length && text[next] !== '\n') {
    const char = text[next];
    if (char === quote) return { ok: true, value: parts.join(''), end: next + 1 };
    if (char === '\\') {
      const escape = escapeAt(text, next);
      if (escape === undefined) return { ok: false, message: 'invalid escape in quoted string' };
      parts.push(escape.value);
      next = escape.end;
      continue;
    }
    const plain = matchAt(PLAIN, text, next)?.[0] ?? text.charAt(next);
    parts.push(plain);
    next += plain.length;
  }
  return { ok: false, message: 'unterminated quoted string' };
};

/** Reads a raw string between backquotes; it may have many lines. */
export const readRaw = (text: string, at: number): LiteralRead<string> => {
  const end = text.indexOf('`', at + 1);
  if (end === -1) return { ok: false, message: 'unterminated raw quoted string' };
  return { ok: true, value: text.slice(at + 1, end), end: end + 1 };
};

const INDEX = /\[(\d{1,15})\]/y;

const readStringKey = (text: string, at: number): LiteralRead<PathStep> | undefined => {
  if (text[at + 1] !== '"' && text[at + 1] !== "'") return undefined;
  const quoted = readQuoted(text, at + 1);
  if (!quoted.ok || text[quoted.end] !== ']') return undefined;
  return { ok: true, value: { kind: 'key', key: quoted.value }, end: quoted.end + 1 };
};

/** Reads `[0]`, `["key"]` or `['key']`; `at` is the place of the bracket. */
export const readBracket = (text: string, at: number): LiteralRead<PathStep> => {
  const digits = matchAt(INDEX, text, at)?.[1];
  if (digits !== undefined)
    return {
      ok: true,
      value: { kind: 'index', index: Number(digits) },
      end: at + digits.length + 2,
    };
  const quoted = readStringKey(text, at);
  if (quoted !== undefined) return quoted;
  const close = text.indexOf(']', at);
  if (close === -1) return { ok: false, message: 'unterminated index' };
  const index = text.slice(at + 1, close).slice(0, 64);
  return { ok: false, message: `invalid array index "${index}"` };
};
