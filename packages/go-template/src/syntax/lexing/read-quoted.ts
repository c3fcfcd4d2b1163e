import { matchAt } from './match-at.ts';

/** A quoted text that was read, with the place behind it; or what is wrong with it. */
export type Quoted =
  | { readonly ok: true; readonly value: string; readonly end: number }
  | { readonly ok: false; readonly message: string };

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

const codePoint = (hex: string): string | undefined => {
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return String.fromCodePoint(code);
};

const ofBytes = (escapes: string): string | undefined => {
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
    const value = ofBytes(bytes);
    return value === undefined ? undefined : { value, end: at + bytes.length };
  }
  const match = matchAt(ESCAPE, text, at);
  if (match === undefined) return undefined;
  const [all, simple, short, long] = match;
  const value = simple === undefined ? codePoint(short ?? long ?? '') : SIMPLE[simple];
  return value === undefined ? undefined : { value, end: at + all.length };
};

/** Reads a text in double or single quotes with Go's escapes; `at` is the place of the first quote. It ends on its line. */
export const readQuoted = (text: string, at: number): Quoted => {
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
export const readRaw = (text: string, at: number): Quoted => {
  const end = text.indexOf('`', at + 1);
  if (end === -1) return { ok: false, message: 'unterminated raw quoted string' };
  return { ok: true, value: text.slice(at + 1, end), end: end + 1 };
};
