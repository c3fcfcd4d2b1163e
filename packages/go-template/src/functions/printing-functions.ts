import { createEntryFactory, type FunctionEntries, createBudgetFailure } from './definition.ts';
import {
  type FunctionContext,
  FunctionFailure,
  type TemplateFunction,
  type TemplateValue,
} from '../values/template-value.ts';
import { formatValue, type ResolvedVerb } from './format-value.ts';
import { formatSprint, formatSprintln } from './print.ts';

/** A width or precision that a value gives. */
export interface AmountFromValue {
  /** The value that `[n]` names, counted from 1. */
  readonly argument: number | undefined;
}

/** A verb with its flags, width and precision. */
export interface FormatVerb {
  readonly verb: string;
  readonly flags: string;
  readonly width: number | AmountFromValue | undefined;
  readonly precision: number | AmountFromValue | undefined;
  /** The value that `[n]` names, counted from 1. */
  readonly argument: number | undefined;
}

export type FormatPiece = string | FormatVerb;

const PIECE =
  /%([-+# 0]*)((?:\[\d{1,4}\])?\*|\d{1,7})?(?:\.((?:\[\d{1,4}\])?\*|\d{0,7}))?(?:\[(\d{1,4})\])?([^\d*[\].]|$)|[^%]+|%/gsu;

const parseAmount = (text: string | undefined): number | AmountFromValue | undefined => {
  if (text === undefined) return undefined;
  if (!text.endsWith('*')) return Number(text);
  return { argument: text === '*' ? undefined : Number(text.slice(1, -2)) };
};

/** Cuts a format into its pieces; nothing when a verb is unfinished. */
const parseFormat = (format: string): readonly FormatPiece[] | undefined => {
  const pieces: FormatPiece[] = [];
  for (const [all, flags, width, precision, argument, verb] of format.matchAll(PIECE)) {
    if (flags === undefined && all !== '%') {
      pieces.push(all);
      continue;
    }
    if (verb === undefined || verb === '') return undefined;
    pieces.push({
      verb,
      flags: flags ?? '',
      width: parseAmount(width),
      precision: parseAmount(precision),
      argument: argument === undefined ? undefined : Number(argument),
    });
  }
  return pieces;
};

const MAX_PRECISION = 100;

/** Supplies the values one after the other. */
interface Values {
  readonly all: readonly TemplateValue[];
  next: number;
  /** True when the format refers to values by number; then unused values are not an error. */
  reordered: boolean;
}

const takeValue = (values: Values, argument: number | undefined): TemplateValue | undefined => {
  if (argument !== undefined) {
    values.next = argument - 1;
    values.reordered = true;
  }
  const value = values.all[values.next];
  values.next += 1;
  return value;
};

const takeAmount = (
  amount: number | AmountFromValue | undefined,
  values: Values,
): number | undefined | FunctionFailure => {
  if (typeof amount !== 'object') return amount;
  const value = takeValue(values, amount.argument);
  return typeof value === 'number' && Number.isInteger(value)
    ? value
    : new FunctionFailure('width and precision from * must be whole numbers');
};

const PRECISE = /[eEfFgG]/;

const resolveVerb = (
  { verb, flags }: FormatVerb,
  width = 0,
  precision: number | undefined,
): ResolvedVerb | FunctionFailure => {
  if (precision !== undefined && precision > MAX_PRECISION && PRECISE.test(verb)) {
    return new FunctionFailure(`precision ${precision} is more than ${MAX_PRECISION}`);
  }
  return {
    verb,
    flags: width < 0 ? `${flags}-` : flags,
    width: Math.abs(width),
    precision: precision !== undefined && precision < 0 ? undefined : precision,
  };
};

const resolve = (verb: FormatVerb, values: Values): ResolvedVerb | FunctionFailure => {
  const width = takeAmount(verb.width, values);
  if (width instanceof FunctionFailure) return width;
  const precision = takeAmount(verb.precision, values);
  return precision instanceof FunctionFailure ? precision : resolveVerb(verb, width, precision);
};

const printVerb = (
  verb: FormatVerb,
  values: Values,
  context: FunctionContext,
): string | FunctionFailure => {
  if (verb.verb === '%') return '%';
  const spec = resolve(verb, values);
  if (spec instanceof FunctionFailure) return spec;
  const value = takeValue(values, verb.argument);
  if (value === undefined) return new FunctionFailure(`no value for %${verb.verb}`);
  const size = spec.width + (spec.precision ?? 0);
  const length = typeof value === 'string' ? value.length : 0;
  if (!context.spend(size + length + 1)) return createBudgetFailure();
  return formatValue(value, spec, context);
};

/** Returns Go's `Sprintf`. Where Go prints a complaint (a wrong type, a missing or a superfluous value) this fails. */
const formatDirectives = (
  format: string,
  all: readonly TemplateValue[],
  context: FunctionContext,
): string | FunctionFailure => {
  if (!context.spend(format.length)) return createBudgetFailure();
  const pieces = parseFormat(format);
  if (pieces === undefined) return new FunctionFailure('the format ends inside a verb');
  const values: Values = { all, next: 0, reordered: false };
  const parts: string[] = [];
  for (const piece of pieces) {
    const part = typeof piece === 'string' ? piece : printVerb(piece, values, context);
    if (part instanceof FunctionFailure) return part;
    parts.push(part);
  }
  if (!values.reordered && values.next < all.length) {
    return new FunctionFailure(`${all.length - values.next} more values than verbs`);
  }
  return parts.join('');
};

const formatPrintf: TemplateFunction = ([format = null, ...values], context) =>
  typeof format === 'string'
    ? formatDirectives(format, values, context)
    : new FunctionFailure('the format must be a string');

const entry = createEntryFactory('Printing');

/** Go's functions that print. */
export const PRINTING_FUNCTIONS = {
  print: entry(
    formatSprint,
    'print value…',
    'The values one after the other, with a blank between two that are no texts.',
    ['{{ print "a" 1 2 }}', 'a1 2'],
  ),
  printf: entry(
    formatPrintf,
    'printf format value…',
    'The values in the places of the verbs of the format: `%v %s %d %f %e %g %x %o %b %c %q %t %U %T %%` with flags, width and precision.',
    ['{{ printf "%s-%03d" "a" 7 }}', 'a-007'],
  ),
  println: entry(
    formatSprintln,
    'println value…',
    'The values with blanks between them, and the end of the line.',
    ['{{ println "a" 1 | trim }}', 'a 1'],
  ),
} as const satisfies FunctionEntries;
