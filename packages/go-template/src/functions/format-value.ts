import {
  type FunctionContext,
  FunctionFailure,
  isList,
  type TemplateValue,
} from '../values/template-value.ts';
import { encodeUtf8 } from '../values/utf8.ts';
import { GO_TYPES, resolveValueKind, createBudgetFailure, type ValueKind } from './definition.ts';
import { NOT_ASCII, formatTemplateValue, quoteText, UNPRINTABLE } from './print.ts';

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
const formatWhole = (magnitude: number, format: NumberFormat): string => {
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
const formatDecimal = (magnitude: number, precision: number): string => {
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

const formatExponential = (magnitude: number, precision: number | undefined): string =>
  magnitude.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2');

const DEFAULT_EXPONENT_LIMIT = 6;

/** From which exponent on `%g` writes one. */
const computeExponentLimit = (
  wanted: number | undefined,
  count: number,
  exponent: number,
): number => {
  if (wanted === undefined) return DEFAULT_EXPONENT_LIMIT;
  return wanted > count && count > exponent ? count : wanted;
};

const withoutZeros = (mantissa: string): string =>
  mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;

const formatSignificantDigits = (
  magnitude: number,
  { precision, alternate }: NumberFormat,
): string => {
  const wanted = precision === undefined ? undefined : Math.max(precision, 1);
  const most = wanted === undefined ? undefined : wanted - 1;
  const [mantissa = '', exponentText = ''] = magnitude.toExponential(most).split('e');
  const exponent = Number(exponentText);
  const digits = alternate ? mantissa : withoutZeros(mantissa);
  const count = digits.replace('.', '').length;
  if (exponent < -4 || exponent >= computeExponentLimit(wanted, count, exponent)) {
    return formatExponential(magnitude, count - 1);
  }
  return formatDecimal(magnitude, Math.max(count - exponent - 1, 0));
};

const HALF_BYTE = 4;

/** Returns a number as a mantissa from 1 up to 2 and an exponent of 2. */
const splitMagnitude = (magnitude: number): readonly [mantissa: number, exponent: number] => {
  let exponent = magnitude === 0 ? 0 : Math.floor(Math.log2(magnitude));
  // The logarithm may be rounded to the next whole number.
  if (magnitude / 2 ** exponent < 1 && magnitude !== 0) exponent -= 1;
  return [magnitude / 2 ** exponent, exponent];
};

/** Digits of a mantissa in base 16. */
const MANTISSA_DIGITS = 13;

const limitMantissa = (mantissa: number, precision = MANTISSA_DIGITS): number => {
  const unit = 2 ** (HALF_BYTE * Math.min(precision, MANTISSA_DIGITS));
  return applyEvenRounding(mantissa * unit) / unit;
};

/** Returns a number with a mantissa in base 16 and an exponent of 2: `0x1.8p+01`. */
const formatHexFraction = (magnitude: number, precision: number | undefined): string => {
  const [given, start] = splitMagnitude(magnitude);
  const rounded = limitMantissa(given, precision);
  const [mantissa, exponent] = rounded >= 2 ? [1, start + 1] : [rounded, start];
  const [whole = '0', fraction = ''] = mantissa.toString(16).split('.');
  const digits = fraction.padEnd(precision ?? 0, '0');
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `0x${whole}${digits && '.'}${digits}p${exponent < 0 ? '-' : '+'}${size}`;
};

const applyEvenRounding = (value: number): number => {
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
  e: (magnitude, { precision = 6 }) => formatExponential(magnitude, precision),
  x: (magnitude, { precision }) => formatHexFraction(magnitude, precision),
  g: (magnitude, format) => {
    const text = formatSignificantDigits(magnitude, format);
    return format.alternate && format.precision === undefined ? withZeros(text) : text;
  },
};

/** Returns a number above or equal to 0 in the notation of its verb: `%f`, `%e`, `%g` or `%x`. */
const formatFraction = (magnitude: number, format: NumberFormat): string => {
  if (!Number.isFinite(magnitude)) return Number.isNaN(magnitude) ? 'NaN' : 'Inf';
  const lower = format.verb.toLowerCase();
  if (lower === 'f') return formatDecimal(magnitude, format.precision ?? 6);
  const text = NOTATIONS[lower]?.(magnitude, format) ?? '';
  return lower === format.verb ? text : text.toUpperCase();
};

/** A verb whose width and precision are resolved. */
export interface ResolvedVerb {
  readonly verb: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

/** Formatting an item of a list, in addition to its text. */
const UNITS_PER_ITEM = 64;

type Formatted = string | FunctionFailure;
type Format = (value: TemplateValue, spec: ResolvedVerb, context: FunctionContext) => Formatted;

const createFailure = (value: TemplateValue, { verb }: ResolvedVerb): FunctionFailure =>
  new FunctionFailure(`%${verb} cannot print ${describe(value)}`);

const describe = (value: TemplateValue): string => {
  if (typeof value === 'number') return `the number ${value}`;
  return value === null ? 'null' : `a ${resolveValueKind(value)}`;
};

const applyWidth = (text: string, { flags, width }: ResolvedVerb, sign = ''): string => {
  const missing = width - Array.from(text).length - sign.length;
  if (missing <= 0) return `${sign}${text}`;
  if (flags.includes('-')) return `${sign}${text}${' '.repeat(missing)}`;
  if (flags.includes('0')) return `${sign}${'0'.repeat(missing)}${text}`;
  return `${' '.repeat(missing)}${sign}${text}`;
};

const formatSign = (value: number, flags: string): string => {
  if (value < 0 || Object.is(value, -0)) return '-';
  if (flags.includes('+')) return '+';
  return flags.includes(' ') ? ' ' : '';
};

const toNumberFormat = ({ verb, flags, precision }: ResolvedVerb) => ({
  verb,
  precision,
  alternate: flags.includes('#'),
});

/** Joins the items of a list, each in the format. */
const createListFormat =
  (format: Format): Format =>
  (value, spec, context) => {
    if (!isList(value)) return format(value, spec, context);
    const parts: string[] = [];
    for (const item of value) {
      if (!context.spend(spec.width + (spec.precision ?? 0) + UNITS_PER_ITEM))
        return createBudgetFailure();
      const part = format(item, spec, context);
      if (part instanceof FunctionFailure) return part;
      parts.push(part);
    }
    return `[${parts.join(' ')}]`;
  };

const formatIntegerVerb: Format = (value, spec) => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return createFailure(value, spec);
  const text = formatWhole(Math.abs(value), toNumberFormat(spec));
  return applyWidth(text, spec, formatSign(value + 0, spec.flags));
};

const formatFloatVerb: Format = (value, spec) => {
  if (typeof value !== 'number') return createFailure(value, spec);
  const text = formatFraction(Math.abs(value), toNumberFormat(spec));
  const isFinite = Number.isFinite(value);
  const flags = isFinite ? spec.flags : spec.flags.replaceAll('0', '');
  return applyWidth(
    text,
    { ...spec, flags },
    formatSign(value, value === Infinity ? `${flags}+` : flags),
  );
};

const truncateText = (text: string, precision: number | undefined): string =>
  precision === undefined ? text : Array.from(text).slice(0, precision).join('');

const PRINTS_AS_TEXT: ReadonlySet<ValueKind> = new Set(['string', 'list', 'map', 'time']);

const formatTextVerb: Format = (value, spec, context) => {
  if (!PRINTS_AS_TEXT.has(resolveValueKind(value))) return createFailure(value, spec);
  const shown = formatTemplateValue(value, context);
  return typeof shown === 'string' ? applyWidth(truncateText(shown, spec.precision), spec) : shown;
};

/** `+` asks for names of fields, which no value has, and `#` for Go syntax, which only texts have. */
const formatAnyVerb: Format = (value, given, context) => {
  const spec = { ...given, flags: given.flags.replaceAll('+', '') };
  if (typeof value === 'string')
    return spec.flags.includes('#')
      ? applyWidth(quoteText(truncateText(value, spec.precision)), spec)
      : formatTextVerb(value, spec, context);
  if (typeof value === 'number') {
    if (spec.precision !== undefined)
      return formatFloatVerb(value, { ...spec, verb: 'g' }, context);
    return applyWidth(String(Math.abs(value)), spec, formatSign(value + 0, spec.flags));
  }
  const shown = formatTemplateValue(value, context);
  return typeof shown === 'string' ? applyWidth(shown, spec) : shown;
};

const formatHexadecimalVerb: Format = (value, spec, context) => {
  if (typeof value === 'number')
    return Number.isInteger(value)
      ? formatIntegerVerb(value, spec, context)
      : formatFloatVerb(value, spec, context);
  if (typeof value !== 'string') return createFailure(value, spec);
  const prefix = spec.flags.includes('#') ? '0x' : '';
  const separator = spec.flags.includes(' ') ? ` ${prefix}` : '';
  const bytes = encodeUtf8(value).slice(0, spec.precision);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(separator);
  const shown = hex === '' ? '' : prefix + hex;
  return applyWidth(spec.verb === 'X' ? shown.toUpperCase() : shown, spec);
};

const MAX_CODE_POINT = 0x10ffff;

const toCharacter = (value: TemplateValue): string | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  const valid = value >= 0 && value <= MAX_CODE_POINT && (value < 0xd800 || value > 0xdfff);
  return valid ? String.fromCodePoint(value) : '\ufffd';
};

const printCharacter: Format = (value, spec) => {
  const char = toCharacter(value);
  return char === undefined ? createFailure(value, spec) : applyWidth(char, spec);
};

/** `+` escapes everything but ASCII. */
const quoteValue = (value: string, { flags }: ResolvedVerb, quote: '"' | "'"): string =>
  quoteText(value, quote, flags.includes('+') ? NOT_ASCII : undefined);

const printQuote: Format = (value, spec) => {
  if (typeof value === 'string') {
    const raw = spec.flags.includes('#') && !/[`\p{Cc}]/u.test(value.replaceAll('\t', ''));
    return applyWidth(
      raw ? `\`${value}\`` : quoteValue(truncateText(value, spec.precision), spec, '"'),
      spec,
    );
  }
  const char = toCharacter(value);
  return char === undefined
    ? createFailure(value, spec)
    : applyWidth(quoteValue(char, spec, "'"), spec);
};

const printUnicode: Format = (value, spec) => {
  const char = toCharacter(value);
  if (char === undefined || typeof value !== 'number') return createFailure(value, spec);
  const code = `U+${BigInt.asUintN(64, BigInt(value)).toString(16).toUpperCase().padStart(4, '0')}`;
  const isShown = spec.flags.includes('#') && value >= 0 && !UNPRINTABLE.test(char);
  return applyWidth(isShown ? `${code} '${char}'` : code, spec);
};

const printBoolean: Format = (value, spec) =>
  typeof value === 'boolean' ? applyWidth(String(value), spec) : createFailure(value, spec);

const printType: Format = (value, spec) => applyWidth(GO_TYPES[resolveValueKind(value)], spec);

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['v', formatAnyVerb],
  ['s', formatTextVerb],
  ['q', createListFormat(printQuote)],
  ['d', createListFormat(formatIntegerVerb)],
  ['b', createListFormat(formatIntegerVerb)],
  ['o', createListFormat(formatIntegerVerb)],
  ['O', createListFormat(formatIntegerVerb)],
  ['x', createListFormat(formatHexadecimalVerb)],
  ['X', createListFormat(formatHexadecimalVerb)],
  ['c', createListFormat(printCharacter)],
  ['U', createListFormat(printUnicode)],
  ['e', createListFormat(formatFloatVerb)],
  ['E', createListFormat(formatFloatVerb)],
  ['f', createListFormat(formatFloatVerb)],
  ['F', createListFormat(formatFloatVerb)],
  ['g', createListFormat(formatFloatVerb)],
  ['G', createListFormat(formatFloatVerb)],
  ['t', createListFormat(printBoolean)],
  ['T', printType],
]);

/** A value as its verb prints it. Fails where Go would print a complaint such as `%!d(string=x)`. */
export const formatValue: Format = (value, spec, context) => {
  const format = FORMATS.get(spec.verb);
  if (format === undefined) return new FunctionFailure(`unknown verb %${spec.verb}`);
  return format(value, spec, context);
};
