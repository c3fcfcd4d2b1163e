import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../values/template-value.ts';
import { bytesOf } from '../../values/utf8.ts';
import { formatFraction, formatWhole } from './format-number.ts';
import { tooLarge } from '../definition/budget.ts';
import { isList } from '../../values/template-map.ts';
import { GO_TYPES, kindOfValue, type ValueKind } from './kind-of-value.ts';
import { NOT_ASCII, quoteText, UNPRINTABLE } from './quote-text.ts';
import { printed } from './sprint.ts';

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

const refused = (value: TemplateValue, { verb }: ResolvedVerb): FunctionFailure =>
  new FunctionFailure(`%${verb} cannot print ${describe(value)}`);

const describe = (value: TemplateValue): string => {
  if (typeof value === 'number') return `the number ${value}`;
  return value === null ? 'null' : `a ${kindOfValue(value)}`;
};

const padded = (text: string, { flags, width }: ResolvedVerb, sign = ''): string => {
  const missing = width - Array.from(text).length - sign.length;
  if (missing <= 0) return `${sign}${text}`;
  if (flags.includes('-')) return `${sign}${text}${' '.repeat(missing)}`;
  if (flags.includes('0')) return `${sign}${'0'.repeat(missing)}${text}`;
  return `${' '.repeat(missing)}${sign}${text}`;
};

const signOf = (value: number, flags: string): string => {
  if (value < 0 || Object.is(value, -0)) return '-';
  if (flags.includes('+')) return '+';
  return flags.includes(' ') ? ' ' : '';
};

const formatOf = ({ verb, flags, precision }: ResolvedVerb) => ({
  verb,
  precision,
  alternate: flags.includes('#'),
});

/** Joins the items of a list, each in the format. */
const listed =
  (format: Format): Format =>
  (value, spec, context) => {
    if (!isList(value)) return format(value, spec, context);
    const parts: string[] = [];
    for (const item of value) {
      if (!context.spend(spec.width + (spec.precision ?? 0) + UNITS_PER_ITEM)) return tooLarge();
      const part = format(item, spec, context);
      if (part instanceof FunctionFailure) return part;
      parts.push(part);
    }
    return `[${parts.join(' ')}]`;
  };

const whole: Format = (value, spec) => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return refused(value, spec);
  const text = formatWhole(Math.abs(value), formatOf(spec));
  return padded(text, spec, signOf(value + 0, spec.flags));
};

const fraction: Format = (value, spec) => {
  if (typeof value !== 'number') return refused(value, spec);
  const text = formatFraction(Math.abs(value), formatOf(spec));
  const isFinite = Number.isFinite(value);
  const flags = isFinite ? spec.flags : spec.flags.replaceAll('0', '');
  return padded(text, { ...spec, flags }, signOf(value, value === Infinity ? `${flags}+` : flags));
};

const cut = (text: string, precision: number | undefined): string =>
  precision === undefined ? text : Array.from(text).slice(0, precision).join('');

const PRINTS_AS_TEXT: ReadonlySet<ValueKind> = new Set(['string', 'list', 'map', 'time']);

const text: Format = (value, spec, context) => {
  if (!PRINTS_AS_TEXT.has(kindOfValue(value))) return refused(value, spec);
  const shown = printed(value, context);
  return typeof shown === 'string' ? padded(cut(shown, spec.precision), spec) : shown;
};

/** `+` asks for names of fields, which no value has, and `#` for Go syntax, which only texts have. */
const anything: Format = (value, given, context) => {
  const spec = { ...given, flags: given.flags.replaceAll('+', '') };
  if (typeof value === 'string')
    return spec.flags.includes('#')
      ? padded(quoteText(cut(value, spec.precision)), spec)
      : text(value, spec, context);
  if (typeof value === 'number') {
    if (spec.precision !== undefined) return fraction(value, { ...spec, verb: 'g' }, context);
    return padded(String(Math.abs(value)), spec, signOf(value + 0, spec.flags));
  }
  const shown = printed(value, context);
  return typeof shown === 'string' ? padded(shown, spec) : shown;
};

const hexadecimal: Format = (value, spec, context) => {
  if (typeof value === 'number')
    return Number.isInteger(value) ? whole(value, spec, context) : fraction(value, spec, context);
  if (typeof value !== 'string') return refused(value, spec);
  const prefix = spec.flags.includes('#') ? '0x' : '';
  const separator = spec.flags.includes(' ') ? ` ${prefix}` : '';
  const bytes = bytesOf(value).slice(0, spec.precision);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(separator);
  const shown = hex === '' ? '' : prefix + hex;
  return padded(spec.verb === 'X' ? shown.toUpperCase() : shown, spec);
};

const MAX_CODE_POINT = 0x10ffff;

const codePoint = (value: TemplateValue): string | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  const valid = value >= 0 && value <= MAX_CODE_POINT && (value < 0xd800 || value > 0xdfff);
  return valid ? String.fromCodePoint(value) : '\ufffd';
};

const character: Format = (value, spec) => {
  const char = codePoint(value);
  return char === undefined ? refused(value, spec) : padded(char, spec);
};

/** `+` escapes everything but ASCII. */
const inQuotes = (value: string, { flags }: ResolvedVerb, quote: '"' | "'"): string =>
  quoteText(value, quote, flags.includes('+') ? NOT_ASCII : undefined);

const quoted: Format = (value, spec) => {
  if (typeof value === 'string') {
    const raw = spec.flags.includes('#') && !/[`\p{Cc}]/u.test(value.replaceAll('\t', ''));
    return padded(raw ? `\`${value}\`` : inQuotes(cut(value, spec.precision), spec, '"'), spec);
  }
  const char = codePoint(value);
  return char === undefined ? refused(value, spec) : padded(inQuotes(char, spec, "'"), spec);
};

const unicode: Format = (value, spec) => {
  const char = codePoint(value);
  if (char === undefined || typeof value !== 'number') return refused(value, spec);
  const code = `U+${BigInt.asUintN(64, BigInt(value)).toString(16).toUpperCase().padStart(4, '0')}`;
  const isShown = spec.flags.includes('#') && value >= 0 && !UNPRINTABLE.test(char);
  return padded(isShown ? `${code} '${char}'` : code, spec);
};

const truth: Format = (value, spec) =>
  typeof value === 'boolean' ? padded(String(value), spec) : refused(value, spec);

const type: Format = (value, spec) => padded(GO_TYPES[kindOfValue(value)], spec);

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['v', anything],
  ['s', text],
  ['q', listed(quoted)],
  ['d', listed(whole)],
  ['b', listed(whole)],
  ['o', listed(whole)],
  ['O', listed(whole)],
  ['x', listed(hexadecimal)],
  ['X', listed(hexadecimal)],
  ['c', listed(character)],
  ['U', listed(unicode)],
  ['e', listed(fraction)],
  ['E', listed(fraction)],
  ['f', listed(fraction)],
  ['F', listed(fraction)],
  ['g', listed(fraction)],
  ['G', listed(fraction)],
  ['t', listed(truth)],
  ['T', type],
]);

/** A value as its verb prints it. Fails where Go would print a complaint such as `%!d(string=x)`. */
export const formatValue: Format = (value, spec, context) => {
  const format = FORMATS.get(spec.verb);
  if (format === undefined) return new FunctionFailure(`unknown verb %${spec.verb}`);
  return format(value, spec, context);
};
