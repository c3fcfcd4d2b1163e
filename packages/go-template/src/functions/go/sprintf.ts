import { tooLarge } from '../definition/budget.ts';
import {
  FunctionFailure,
  type FunctionContext,
  type TemplateValue,
} from '../../values/template-value.ts';
import { formatValue, type ResolvedVerb } from './format-value.ts';
import { parseFormat, type AmountFromValue, type FormatVerb } from './parse-format.ts';

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

const resolved = (
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
  return precision instanceof FunctionFailure ? precision : resolved(verb, width, precision);
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
  if (!context.spend(size + length + 1)) return tooLarge();
  return formatValue(value, spec, context);
};

/** Returns Go's `Sprintf`. Where Go prints a complaint (a wrong type, a missing or a superfluous value) this fails. */
export const sprintf = (
  format: string,
  all: readonly TemplateValue[],
  context: FunctionContext,
): string | FunctionFailure => {
  if (!context.spend(format.length)) return tooLarge();
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
