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

type Write = (piece: string) => boolean;
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

const partsOf = (value: readonly TemplateValue[] | TemplateMap, style: JsonStyle): Part[] => {
  if (isList(value)) return value.map((item) => ({ lead: '', value: item }));
  const colon = style.indent === '' ? ':' : ': ';
  return sortedKeys(value).map((key) => ({
    lead: style.escape(JSON.stringify(key)) + colon,
    value: ownValue(value, key) ?? null,
  }));
};

const writeParts = (
  value: readonly TemplateValue[] | TemplateMap,
  style: JsonStyle,
  write: Write,
  depth: number,
): Stop => {
  const [open, close] = isList(value) ? '[]' : '{}';
  const parts = partsOf(value, style);
  if (parts.length === 0) return write(`${open}${close}`) ? undefined : tooLarge();
  const line = (level: number): string =>
    style.indent === '' ? '' : `\n${style.indent.repeat(level)}`;
  for (const [index, part] of parts.entries()) {
    if (!write(`${index === 0 ? open : ','}${line(depth + 1)}${part.lead}`)) return tooLarge();
    const stop = writeValue(part.value, style, write, depth + 1);
    if (stop !== undefined) return stop;
  }
  return write(`${line(depth)}${close}`) ? undefined : tooLarge();
};

const writeValue = (value: TemplateValue, style: JsonStyle, write: Write, depth: number): Stop => {
  if (depth > MAX_VALUE_DEPTH) return tooDeep();
  if (typeof value === 'object' && value !== null && !(value instanceof TemplateTime))
    return writeParts(value, style, write, depth);
  return write(scalarText(value, style)) ? undefined : tooLarge();
};

/** A piece costs as much as this number of characters: values can be many and short. */
const UNITS_PER_PIECE = 16;

/** Returns a value as JSON, keys in order. Charges its length and its pieces. */
export const jsonText = (
  value: TemplateValue,
  style: JsonStyle,
  context: FunctionContext,
): string | FunctionFailure => {
  const pieces: string[] = [];
  const stop = writeValue(
    value,
    style,
    (piece) => {
      pieces.push(piece);
      return context.spend(UNITS_PER_PIECE + piece.length);
    },
    0,
  );
  return stop ?? pieces.join('');
};

/** Returns a text that two values share exactly when they are equal. */
export const identityText = (
  value: TemplateValue,
  context: FunctionContext,
): string | FunctionFailure => jsonText(value, IDENTITY, context);
