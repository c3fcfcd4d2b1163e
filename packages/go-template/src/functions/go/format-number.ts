/** The format of a number: the letter of the verb and its digits. */
export interface NumberFormat {
  readonly verb: string;
  readonly precision: number | undefined;
  /** `#`: prefixes, and zeros that `%g` would drop. */
  readonly alternate: boolean;
}

const BASES: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };
const PREFIXES: Readonly<Record<string, string>> = { b: '0b', o: '0', x: '0x', X: '0X' };

/** Formats a whole number that is not negative in the base of its verb. */
export const formatWhole = (magnitude: number, format: NumberFormat): string => {
  const { verb, precision = 0, alternate } = format;
  const digits = BigInt(magnitude)
    .toString(BASES[verb] ?? 10)
    .padStart(precision, '0');
  if (verb === 'O') return `0o${digits}`;
  const cased = verb === 'X' ? digits.toUpperCase() : digits;
  // An octal number that begins with 0 has its prefix.
  if (!alternate || (verb === 'o' && cased.startsWith('0'))) return cased;
  return `${PREFIXES[verb] ?? ''}${cased}`;
};

const LARGEST_FIXED = 1e21;
const TIE_DIGITS = 25;

/** `toFixed`, but exact halves go to the even neighbour. */
const fixed = (magnitude: number, precision: number): string => {
  if (magnitude >= LARGEST_FIXED) {
    const whole = BigInt(magnitude).toString();
    return precision === 0 ? whole : `${whole}.${'0'.repeat(precision)}`;
  }
  const rounded = magnitude.toFixed(precision);
  if (precision + TIE_DIGITS > 100) return rounded;
  const exact = magnitude.toFixed(precision + TIE_DIGITS);
  const cut = exact.slice(0, exact.length - TIE_DIGITS).replace(/\.$/, '');
  const isTie = exact.slice(-TIE_DIGITS) === '5'.padEnd(TIE_DIGITS, '0');
  return isTie && '02468'.includes(cut.at(-1) ?? '') ? cut : rounded;
};

const exponential = (magnitude: number, precision: number | undefined): string =>
  magnitude.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2');

const DEFAULT_EXPONENT_LIMIT = 6;

/** From which exponent on `%g` writes one. */
const exponentLimit = (wanted: number | undefined, count: number, exponent: number): number => {
  if (wanted === undefined) return DEFAULT_EXPONENT_LIMIT;
  return wanted > count && count > exponent ? count : wanted;
};

const withoutZeros = (mantissa: string): string =>
  mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;

const significant = (magnitude: number, { precision, alternate }: NumberFormat): string => {
  const wanted = precision === undefined ? undefined : Math.max(precision, 1);
  const most = wanted === undefined ? undefined : wanted - 1;
  const [mantissa = '', exponentText = ''] = magnitude.toExponential(most).split('e');
  const exponent = Number(exponentText);
  const digits = alternate ? mantissa : withoutZeros(mantissa);
  const count = digits.replace('.', '').length;
  if (exponent < -4 || exponent >= exponentLimit(wanted, count, exponent)) {
    return exponential(magnitude, count - 1);
  }
  return fixed(magnitude, Math.max(count - exponent - 1, 0));
};

const HALF_BYTE = 4;

/** Returns a number as a mantissa from 1 up to 2 and an exponent of 2. */
const normalised = (magnitude: number): readonly [mantissa: number, exponent: number] => {
  let exponent = magnitude === 0 ? 0 : Math.floor(Math.log2(magnitude));
  // The logarithm may be rounded to the next whole number.
  if (magnitude / 2 ** exponent < 1 && magnitude !== 0) exponent -= 1;
  return [magnitude / 2 ** exponent, exponent];
};

/** Digits of a mantissa in base 16. */
const MANTISSA_DIGITS = 13;

const roundedMantissa = (mantissa: number, precision = MANTISSA_DIGITS): number => {
  const unit = 2 ** (HALF_BYTE * Math.min(precision, MANTISSA_DIGITS));
  return halfToEven(mantissa * unit) / unit;
};

/** Returns a number with a mantissa in base 16 and an exponent of 2: `0x1.8p+01`. */
const hexadecimal = (magnitude: number, precision: number | undefined): string => {
  const [given, start] = normalised(magnitude);
  const rounded = roundedMantissa(given, precision);
  const [mantissa, exponent] = rounded >= 2 ? [1, start + 1] : [rounded, start];
  const [whole = '0', fraction = ''] = mantissa.toString(16).split('.');
  const digits = fraction.padEnd(precision ?? 0, '0');
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `0x${whole}${digits && '.'}${digits}p${exponent < 0 ? '-' : '+'}${size}`;
};

const halfToEven = (value: number): number => {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
};

/** `#` writes at least so many significant digits. */
const ALTERNATE_DIGITS = 6;

const withZeros = (text: string): string => {
  const [mantissa = '', exponent] = text.split('e');
  const count = mantissa.replace('.', '').replace(/^0+/, '').length;
  const zeros = '0'.repeat(Math.max(ALTERNATE_DIGITS - count, 0));
  const padded = zeros && !mantissa.includes('.') ? `${mantissa}.${zeros}` : mantissa + zeros;
  return exponent === undefined ? padded : `${padded}e${exponent}`;
};

const NOTATIONS: Readonly<Record<string, (magnitude: number, format: NumberFormat) => string>> = {
  e: (magnitude, { precision = 6 }) => exponential(magnitude, precision),
  x: (magnitude, { precision }) => hexadecimal(magnitude, precision),
  g: (magnitude, format) => {
    const text = significant(magnitude, format);
    return format.alternate && format.precision === undefined ? withZeros(text) : text;
  },
};

/** Returns a number above or equal to 0 in the notation of its verb: `%f`, `%e`, `%g` or `%x`. */
export const formatFraction = (magnitude: number, format: NumberFormat): string => {
  if (!Number.isFinite(magnitude)) return Number.isNaN(magnitude) ? 'NaN' : 'Inf';
  const lower = format.verb.toLowerCase();
  if (lower === 'f') return fixed(magnitude, format.precision ?? 6);
  const text = NOTATIONS[lower]?.(magnitude, format) ?? '';
  return lower === format.verb ? text : text.toUpperCase();
};
