import type { JsonValue } from '../../values/json-value.ts';
import { FunctionFailure } from '../../values/template-value.ts';
import { MAX_VALUE_DEPTH } from '../../values/value-limits.ts';
import { tooDeep } from '../definition/depth.ts';

const QUOTE = '"';
const DEPTH_CHANGES: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [']', -1],
  ['}', -1],
]);

/** Returns the end of the string that starts at a quote; the length of the text when the string has no end. */
const stringEnd = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === '\\' ? 2 : 1;
  return at;
};

/** Returns whether brackets are nested deeper than values may be. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === QUOTE) at = stringEnd(text, at);
    else depth += DEPTH_CHANGES.get(character) ?? 0;
    if (depth > MAX_VALUE_DEPTH) return true;
  }
  return false;
};

/** V8 has a limit of the calls that an error records; to record them costs three times as much as to parse a short text. */
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

const parse = (text: string): JsonValue | FunctionFailure => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return new FunctionFailure('the text is not JSON');
  }
};

/** Parses a text in JSON. */
export const readJson = (text: string): JsonValue | FunctionFailure =>
  isTooDeep(text) ? tooDeep() : withoutStackTraces(() => parse(text));
