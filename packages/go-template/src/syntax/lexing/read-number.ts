import { matchAt } from './match-at.ts';

const DIGITS =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9]+)?|0[bB][01_]+|0[oO][0-7_]+|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?)/y;
const WORD = /[\p{L}\p{Nd}_.]*/uy;
const OCTAL = /^0[0-7]+$/;
const PREFIXED = /^0[box][0-9a-f]+$/;
const HEX_FLOAT = /^0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/;
const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/;
const MISPLACED = /^_|__|_$|_\.|\._|_[ep]/;

/** A number that was read, with the place behind it; or what is wrong with it. */
export type ReadNumber =
  | { readonly ok: true; readonly value: number; readonly end: number }
  | { readonly ok: false; readonly message: string };

const hexFloat = (digits: string): number | undefined => {
  const [, whole, fraction = '', exponent] = HEX_FLOAT.exec(digits) ?? [];
  if (whole === undefined || whole.length + fraction.length === 0) return undefined;
  const mantissa = Number.parseInt(`${whole}${fraction}`, 16);
  return mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
};

const magnitude = (digits: string): number | undefined => {
  if (OCTAL.test(digits)) return Number.parseInt(digits, 8);
  if (PREFIXED.test(digits)) return Number(digits);
  if (DECIMAL.test(digits)) return Number(digits);
  return hexFloat(digits);
};

const isWhole = (digits: string): boolean => /^\d+$/.test(digits) || PREFIXED.test(digits);

const valueOf = (digits: string): number | undefined => {
  const value = magnitude(digits);
  return value === undefined || Number.isNaN(value) ? undefined : value;
};

const isExact = (value: number, digits: string): boolean =>
  Number.isFinite(value) && (!isWhole(digits) || Number.isSafeInteger(value));

/** Reads a number as Go writes it: `12`, `0x1F`, `0b11`, `0o17`, `017`, `1_000`, `.5`, `1e3`, `0x1p-2`, with or without sign. */
export const readNumber = (text: string, at: number): ReadNumber => {
  const matched = matchAt(DIGITS, text, at)?.[0] ?? '';
  const rest = matchAt(WORD, text, at + matched.length)?.[0] ?? '';
  const written = JSON.stringify(`${matched}${rest}`.slice(0, 64));
  const unsigned = matched.replace(/^[+-]/, '').toLowerCase();
  const digits = unsigned.replaceAll('_', '');
  const value = rest !== '' || MISPLACED.test(unsigned) ? undefined : valueOf(digits);
  if (value === undefined) return { ok: false, message: `bad number syntax: ${written}` };
  if (!isExact(value, digits)) return { ok: false, message: `number out of range: ${written}` };
  return { ok: true, value: matched.startsWith('-') ? -value : value, end: at + matched.length };
};
