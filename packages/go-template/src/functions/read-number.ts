import { FunctionFailure, type TemplateValue } from '../values/template-value.ts';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([\dA-Fa-f]*)\.?([\dA-Fa-f]*)[pP]([+-]?\d+)$/;
/** A literal of Go: a leading zero means octal, so that `09` is none. */
const INTEGER = /^([+-]?)(?:0[xX]([\dA-Fa-f]+)|0[bB]([01]+)|0[oO]?([0-7]*)|([1-9]\d*))$/;
/** Digits may be grouped: `1_000`, `0x_1F`. */
const GROUPING = /(?<=[\dA-Fa-f]|^[+-]?0[xXbBoO])_(?=[\dA-Fa-f])/g;
/** A fraction of zeros does not count: `3.0` is whole. */
const NO_FRACTION = /\.0+$/;

/** A longer text is not a number. */
const MAX_DIGITS = 400;

const createRangeFailure = (value: number | string): FunctionFailure =>
  new FunctionFailure(`cannot calculate with ${value} as a whole number: it is beyond ±(2^53 − 1)`);

/** Returns the number if it is a whole number that a double represents exactly. */
export const toExactWhole = (value: number): number | FunctionFailure =>
  // `+ 0` converts -0 to 0.
  Number.isSafeInteger(value) ? value + 0 : createRangeFailure(value);

const parseInteger = (text: string): number | FunctionFailure => {
  const match =
    text.length > MAX_DIGITS
      ? null
      : INTEGER.exec(text.replace(NO_FRACTION, '').replace(GROUPING, ''));
  if (match === null) return 0;
  const [, sign, hex, binary, octal, decimal = '0'] = match;
  if (hex !== undefined) return applySign(sign, Number.parseInt(hex, 16));
  if (binary !== undefined) return applySign(sign, Number.parseInt(binary, 2));
  if (octal !== undefined) return applySign(sign, Number.parseInt(octal || '0', 8));
  return applySign(sign, Number(decimal));
};

const applySign = (sign: string | undefined, value: number): number | FunctionFailure =>
  toExactWhole(sign === '-' ? -value : value);

/**
 * Converts any value to a whole number: fractions are truncated, true is 1, texts are read as Go literals (`0x1F`, `010`; `09` is none), and
 * a text that is not a number is 0. Fails for numbers beyond ±(2^53 − 1).
 */
export const toWhole = (value: TemplateValue): number | FunctionFailure => {
  if (typeof value === 'number') return toExactWhole(Math.trunc(value));
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? parseInteger(value) : 0;
};

/** Reads a hexadecimal number with its exponent of 2, such as `0x1.8p1`; anything else is 0. */
const resolveHexadecimal = (text: string): number => {
  const [, sign, whole = '', fraction = '', exponent = '0'] = HEXADECIMAL.exec(text) ?? [];
  if (whole + fraction === '') return 0;
  const size = Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -size : size;
};

/** Converts any value to a number: true is 1, texts are read as decimals, and a text that is not a number is 0. */
export const toPlainNumber = (value: TemplateValue): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string' || value.length > MAX_DIGITS) return 0;
  const plain = value.replace(GROUPING, '');
  const read = DECIMAL.test(plain) ? Number(plain) : resolveHexadecimal(plain);
  return Number.isFinite(read) ? read : 0;
};

/** Converts a text of decimal digits with an optional sign to a whole number; any other text is 0. */
export const parseDigits = (text: string, base: 8 | 10): number | FunctionFailure => {
  const digits = base === 8 ? /^[+-]?[0-7]+$/ : /^[+-]?\d+$/;
  if (text.length > MAX_DIGITS || !digits.test(text)) return 0;
  return toExactWhole(Number.parseInt(text, base));
};
