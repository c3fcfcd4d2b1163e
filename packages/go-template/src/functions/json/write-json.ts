import {
  TemplateTime,
  type FunctionContext,
  type FunctionFailure,
  type TemplateValue,
} from '../../values/template-value.ts';
import { tooLarge } from '../definition/budget.ts';
import { isList, ownValue, sortedKeys, type TemplateMap } from '../../values/template-map.ts';
import { MAX_VALUE_DEPTH } from '../../values/value-limits.ts';
import { tooDeep } from '../definition/depth.ts';
import { timeText } from '../../values/time-text.ts';

/** The style of the output. */
export interface JsonStyle {
  /** The indentation of each level; empty for one line. */
  readonly indent: string;
  /** Escapes a quoted text further. */
  readonly escape: (quoted: string) => string;
  readonly time: (time: TemplateTime) => string;
}

const LINE_ENDS = /[\u2028\u2029]/g;
const HTML = /[<>&\u2028\u2029]/g;

const asEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const rawText = (quoted: string): string => quoted.replace(LINE_ENDS, asEscape);
const htmlText = (quoted: string): string => quoted.replace(HTML, asEscape);
const quotedTime = (time: TemplateTime): string => JSON.stringify(timeText(time));

/** On one line, with `<`, `>` and `&` as escapes, as Go writes it. */
export const COMPACT: JsonStyle = { indent: '', escape: htmlText, time: quotedTime };
/** On one line, with all characters as they are. */
export const RAW: JsonStyle = { ...COMPACT, escape: rawText };
/** A line for every value, moved in by two spaces for every level. */
export const PRETTY: JsonStyle = { ...COMPACT, indent: '  ' };
/** Equal values give equal texts, different values different texts. */
const IDENTITY: JsonStyle = { indent: '', escape: (quoted) => quoted, time: ({ ms }) => `@${ms}` };

interface Output {
  readonly style: JsonStyle;
  readonly spend: FunctionContext['spend'];
  /** Charges for a piece of this length before it is made; false when the budget is spent. */
  readonly charge: (length: number) => boolean;
  readonly pieces: string[];
}

const write = (output: Output, piece: string): boolean => {
  output.pieces.push(piece);
  return output.charge(piece.length);
};

type Stop = FunctionFailure | undefined;

const scalarText = (
  value: null | boolean | number | string | TemplateTime,
  style: JsonStyle,
): string => {
  if (value instanceof TemplateTime) return style.time(value);
  return style.escape(JSON.stringify(value));
};

interface Part {
  readonly lead: string;
  readonly value: TemplateValue;
}

function* partsOfList(list: readonly TemplateValue[]): Generator<Part> {
  for (const value of list) yield { lead: '', value };
}

function* partsOfMap(map: TemplateMap, keys: readonly string[], style: JsonStyle): Generator<Part> {
  const colon = style.indent === '' ? ':' : ': ';
  for (const key of keys) {
    const lead = style.escape(JSON.stringify(key)) + colon;
    yield { lead, value: ownValue(map, key) ?? null };
  }
}

/** Yields the parts of a list or map; undefined when the budget is spent. */
const partsOf = (
  value: readonly TemplateValue[] | TemplateMap,
  { style, spend }: Output,
): Iterable<Part> | undefined => {
  if (isList(value)) return partsOfList(value);
  const keys = sortedKeys(value, spend);
  return keys && partsOfMap(value, keys, style);
};

const writeParts = (
  value: readonly TemplateValue[] | TemplateMap,
  output: Output,
  depth: number,
): Stop => {
  const { indent } = output.style;
  const [open, close] = isList(value) ? '[]' : '{}';
  const parts = partsOf(value, output);
  if (parts === undefined) return tooLarge();
  const line = (level: number): string => (indent === '' ? '' : `\n${indent.repeat(level)}`);
  let before = open;
  for (const part of parts) {
    if (!write(output, `${before}${line(depth + 1)}${part.lead}`)) return tooLarge();
    const stop = writeValue(part.value, output, depth + 1);
    if (stop !== undefined) return stop;
    before = ',';
  }
  const end = before === open ? `${open}${close}` : `${line(depth)}${close}`;
  return write(output, end) ? undefined : tooLarge();
};

/** A value costs as much as this number of characters: values can be many and short. */
const UNITS_PER_PIECE = 32;

const writeValue = (value: TemplateValue, output: Output, depth: number): Stop => {
  if (depth > MAX_VALUE_DEPTH) return tooDeep();
  if (typeof value === 'object' && value !== null && !(value instanceof TemplateTime))
    return writeParts(value, output, depth);
  // Charged before, because one text can be large.
  if (!output.charge(typeof value === 'string' ? value.length : 0)) return tooLarge();
  return write(output, scalarText(value, output.style)) ? undefined : tooLarge();
};

/** Returns a value as JSON, keys in order. Charges its length and its pieces. */
export const jsonText = (
  value: TemplateValue,
  style: JsonStyle,
  { spend }: FunctionContext,
): string | FunctionFailure => {
  const charge = (length: number): boolean => spend(UNITS_PER_PIECE + length);
  const output: Output = { style, spend, charge, pieces: [] };
  const stop = writeValue(value, output, 0);
  return stop ?? output.pieces.join('');
};

/** Returns a text that two values share exactly when they are equal. */
export const identityText = (
  value: TemplateValue,
  context: FunctionContext,
): string | FunctionFailure => jsonText(value, IDENTITY, context);
