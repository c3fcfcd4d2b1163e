import type { JsonValue } from '../values/json-value.ts';
import {
  type FunctionContext,
  FunctionFailure,
  isList,
  MAX_VALUE_DEPTH,
  findOwnValue,
  listSortedKeys,
  type TemplateMap,
  TemplateTime,
  type TemplateValue,
} from '../values/template-value.ts';
import {
  readAnyArgument,
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  readTextArgument,
  createDepthFailure,
  createBudgetFailure,
  withArguments,
  withMustNames,
} from './definition.ts';
import { formatTemplateTime } from '../values/export-json.ts';

const QUOTE = '"';
const DEPTH_CHANGES: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [']', -1],
  ['}', -1],
]);

/** Returns the index of the closing quote, or the length of the text without a closing quote. */
const findJsonStringEnd = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === '\\' ? 2 : 1;
  return at;
};

/** Returns whether brackets are nested deeper than `MAX_VALUE_DEPTH`. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === QUOTE) at = findJsonStringEnd(text, at);
    else depth += DEPTH_CHANGES.get(character) ?? 0;
    if (depth > MAX_VALUE_DEPTH) return true;
  }
  return false;
};

/** Recording a stack trace costs more than parsing a short text. */
const STACK_LIMIT = 'stackTraceLimit';

const withoutStackTraces = <T>(parse: () => T): T => {
  const limit: unknown = Reflect.get(Error, STACK_LIMIT);
  // Does nothing where errors are frozen.
  Reflect.set(Error, STACK_LIMIT, 0);
  try {
    return parse();
  } finally {
    Reflect.set(Error, STACK_LIMIT, limit);
  }
};

const parseJsonText = (text: string): JsonValue | FunctionFailure => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return new FunctionFailure('the text is not JSON');
  }
};

const readJson = (text: string): JsonValue | FunctionFailure =>
  isTooDeep(text) ? createDepthFailure() : withoutStackTraces(() => parseJsonText(text));

export interface JsonStyle {
  /** The indentation of each level; empty for one line. */
  readonly indent: string;
  /** Escapes additional characters of a quoted string. */
  readonly escape: (quoted: string) => string;
  readonly time: (time: TemplateTime) => string;
}

const LINE_ENDS = /[\u2028\u2029]/g;
const HTML = /[<>&\u2028\u2029]/g;

const formatUnicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const escapeLineEnds = (quoted: string): string => quoted.replace(LINE_ENDS, formatUnicodeEscape);
const escapeHtmlCharacters = (quoted: string): string => quoted.replace(HTML, formatUnicodeEscape);
const formatQuotedTime = (time: TemplateTime): string => JSON.stringify(formatTemplateTime(time));

/** On one line, with `<`, `>` and `&` as escapes, as Go writes it. */
const COMPACT: JsonStyle = { indent: '', escape: escapeHtmlCharacters, time: formatQuotedTime };
/** On one line, with all characters as they are. */
const RAW: JsonStyle = { ...COMPACT, escape: escapeLineEnds };
/** One line for each value, indented by two spaces per level. */
const PRETTY: JsonStyle = { ...COMPACT, indent: '  ' };
/** Equal values give equal texts, different values different texts. */
const IDENTITY: JsonStyle = { indent: '', escape: (quoted) => quoted, time: ({ ms }) => `@${ms}` };

interface Output {
  readonly style: JsonStyle;
  readonly spend: FunctionContext['spend'];
  /** Charges for a piece of this length. Returns false when the budget is spent. */
  readonly charge: (length: number) => boolean;
  readonly pieces: string[];
}

const write = (output: Output, piece: string): boolean => {
  output.pieces.push(piece);
  return output.charge(piece.length);
};

type WriteFailure = FunctionFailure | undefined;

const formatScalar = (
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

function* walkListParts(list: readonly TemplateValue[]): Generator<Part> {
  for (const value of list) yield { lead: '', value };
}

function* walkMapParts(
  map: TemplateMap,
  keys: readonly string[],
  style: JsonStyle,
): Generator<Part> {
  const colon = style.indent === '' ? ':' : ': ';
  for (const key of keys) {
    const lead = style.escape(JSON.stringify(key)) + colon;
    yield { lead, value: findOwnValue(map, key) ?? null };
  }
}

/** Yields the parts of a list or map; undefined when the budget is spent. */
const listParts = (
  value: readonly TemplateValue[] | TemplateMap,
  { style, spend }: Output,
): Iterable<Part> | undefined => {
  if (isList(value)) return walkListParts(value);
  const keys = listSortedKeys(value, spend);
  return keys && walkMapParts(value, keys, style);
};

const writeParts = (
  value: readonly TemplateValue[] | TemplateMap,
  output: Output,
  depth: number,
): WriteFailure => {
  const { indent } = output.style;
  const [open, close] = isList(value) ? '[]' : '{}';
  const parts = listParts(value, output);
  if (parts === undefined) return createBudgetFailure();
  const line = (level: number): string => (indent === '' ? '' : `\n${indent.repeat(level)}`);
  let before = open;
  for (const part of parts) {
    if (!write(output, `${before}${line(depth + 1)}${part.lead}`)) return createBudgetFailure();
    const stop = writeValue(part.value, output, depth + 1);
    if (stop !== undefined) return stop;
    before = ',';
  }
  const end = before === open ? `${open}${close}` : `${line(depth)}${close}`;
  return write(output, end) ? undefined : createBudgetFailure();
};

/** Base cost of each piece, in characters, because a value can have many short pieces. */
const UNITS_PER_PIECE = 32;

const writeValue = (value: TemplateValue, output: Output, depth: number): WriteFailure => {
  if (depth > MAX_VALUE_DEPTH) return createDepthFailure();
  if (typeof value === 'object' && value !== null && !(value instanceof TemplateTime))
    return writeParts(value, output, depth);
  // Charges before formatting, because a string can be large.
  if (!output.charge(typeof value === 'string' ? value.length : 0)) return createBudgetFailure();
  return write(output, formatScalar(value, output.style)) ? undefined : createBudgetFailure();
};

/** Returns a value as JSON with sorted keys. Charges for the length and the number of pieces. */
const formatJsonText = (
  value: TemplateValue,
  style: JsonStyle,
  { spend }: FunctionContext,
): string | FunctionFailure => {
  const charge = (length: number): boolean => spend(UNITS_PER_PIECE + length);
  const output: Output = { style, spend, charge, pieces: [] };
  const stop = writeValue(value, output, 0);
  return stop ?? output.pieces.join('');
};

/** Returns a text that is equal for equal values and different for different values. */
export const formatIdentityKey = (
  value: TemplateValue,
  context: FunctionContext,
): string | FunctionFailure => formatJsonText(value, IDENTITY, context);

const entry = createEntryFactory('JSON');

/** Base cost of a parser call, including the error for invalid JSON. */
const UNITS_PER_CALL = 256;
/** Cost of parsing a character: an empty list (two characters) can occupy 64 bytes. */
const UNITS_PER_PARSED_CHARACTER = 24;

const createJsonWriter = (style: JsonStyle) =>
  withArguments([readAnyArgument], ([value], context) => formatJsonText(value, style, context));

const toJson = entry(
  createJsonWriter(COMPACT),
  'toJson value',
  'The value as JSON on one line, keys in order, with `<`, `>` and `&` as escapes.',
  ['{{ dict "b" 1 "a" "<" | toJson }}', '{"a":"\\u003c","b":1}'],
);
const toRawJson = entry(
  createJsonWriter(RAW),
  'toRawJson value',
  'The same, with all characters as they are.',
  ['{{ dict "b" 1 "a" "<" | toRawJson }}', '{"a":"<","b":1}'],
);
const toPrettyJson = entry(
  createJsonWriter(PRETTY),
  'toPrettyJson value',
  'The value as JSON on many lines.',
  ['{{ dict "a" (list 1) | toPrettyJson }}', '{\n  "a": [\n    1\n  ]\n}'],
);

/** Functions that convert between values and JSON. */
export const jsonFunctions = {
  ...withMustNames({ toJson, toRawJson, toPrettyJson }),
  fromJson: entry(
    withArguments([readTextArgument], ([value], context) =>
      makeWithinBudget(context, UNITS_PER_CALL + UNITS_PER_PARSED_CHARACTER * value.length, () => {
        const read = readJson(value);
        return read instanceof FunctionFailure ? null : read;
      }),
    ),
    'fromJson text',
    'The value of a text in JSON, or null when it is not JSON.',
    ['{{ $value := fromJson `{"a":[1,2]}` }}{{ index $value.a 1 }}', '2'],
  ),
  mustFromJson: entry(
    withArguments([readTextArgument], ([value], context) =>
      makeWithinBudget(context, UNITS_PER_CALL + UNITS_PER_PARSED_CHARACTER * value.length, () =>
        readJson(value),
      ),
    ),
    'mustFromJson text',
    'The same, but fails when it is not JSON.',
    ['{{ mustFromJson "[1,2]" | last }}', '2'],
  ),
} satisfies FunctionEntries;
