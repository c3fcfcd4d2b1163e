import { parseText } from '../syntax/parsing/parse-template.ts';
import type { Template } from '../syntax/tree/template.ts';
import { isJsonList } from '../values/json-kinds.ts';
import type { JsonValue } from '../values/json-value.ts';
import { MAX_VALUE_DEPTH, TOO_DEEP } from '../values/value-limits.ts';
import { placeInValue } from './place-in-value.ts';
import { valueTemplateOf, type ValueTemplate } from './value-template.ts';

/** The parsed value, or its first problem with its place: `.a[0]: line 1, column 4: ...`. */
export type ParsedValue =
  | { readonly ok: true; readonly value: ValueTemplate }
  | { readonly ok: false; readonly text: string };

/** Parses the texts of a value into `templates`. Returns the first problem. */
const parseTexts = (
  value: JsonValue,
  templates: Map<string, Template>,
  depth: number,
): string | undefined => {
  if (typeof value === 'string') {
    const parsed = parseText(value);
    if (!parsed.ok) return `line ${parsed.line}, column ${parsed.column}: ${parsed.message}`;
    if (parsed.template !== undefined) templates.set(value, parsed.template);
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_VALUE_DEPTH) return TOO_DEEP;
  const isList = isJsonList(value);
  for (const [key, member] of Object.entries(value)) {
    const problem = parseTexts(member, templates, depth + 1);
    if (problem !== undefined) return placeInValue(problem, isList ? Number(key) : key);
  }
  return undefined;
};

/** Parses every template inside a value. Never throws. @spec §2.7 */
export const parseValue = (value: JsonValue): ParsedValue => {
  const templates = new Map<string, Template>();
  const problem = parseTexts(value, templates, 1);
  if (problem !== undefined) return { ok: false, text: problem };
  return { ok: true, value: valueTemplateOf(value, templates) };
};
