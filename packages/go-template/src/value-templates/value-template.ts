import type { Template } from '../syntax/tree/template.ts';
import { isJsonList } from '../values/json-kinds.ts';
import type { JsonMap, JsonValue } from '../values/json-value.ts';

/** A JSON value whose texts may be templates, parsed. Keys are never templates. Deeply frozen. */
export type ValueTemplate =
  | { readonly kind: 'constant'; readonly value: JsonValue }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly ValueTemplate[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, ValueTemplate])[] };

/** Returns the parsed template of a text; undefined for a text that is not a template. */
export type TemplateLookup = (text: string) => Template | undefined;

const isConstant = ({ kind }: ValueTemplate): boolean => kind === 'constant';

const constant = (value: JsonValue): ValueTemplate => Object.freeze({ kind: 'constant', value });

const templateOfText = (text: string, templateOf: TemplateLookup): ValueTemplate => {
  const template = templateOf(text);
  return template === undefined ? constant(text) : Object.freeze({ kind: 'template', template });
};

const templateOfList = (list: readonly JsonValue[], templateOf: TemplateLookup): ValueTemplate => {
  const items = Object.freeze(list.map((item) => valueTemplateOf(item, templateOf)));
  return items.every(isConstant) ? constant(list) : Object.freeze({ kind: 'list', items });
};

const templateOfMap = (map: JsonMap, templateOf: TemplateLookup): ValueTemplate => {
  const entries = Object.entries(map).map(([key, value]) =>
    Object.freeze([key, valueTemplateOf(value, templateOf)] as const),
  );
  return entries.every(([, value]) => isConstant(value))
    ? constant(map)
    : Object.freeze({ kind: 'map', entries: Object.freeze(entries) });
};

/**
 * Returns a value with the templates of its texts in place. Parts without templates stay the values that they are.
 * @param templateOf the parsed template of each text of the value
 */
export function valueTemplateOf(value: JsonValue, templateOf: TemplateLookup): ValueTemplate {
  if (typeof value === 'string') return templateOfText(value, templateOf);
  if (typeof value !== 'object' || value === null) return constant(value);
  return isJsonList(value) ? templateOfList(value, templateOf) : templateOfMap(value, templateOf);
}

/** Returns the members of a parsed map in their order; empty for any other value. */
export const memberTemplates = (
  parsed: ValueTemplate,
): readonly (readonly [string, ValueTemplate])[] => {
  if (parsed.kind === 'map') return parsed.entries;
  if (parsed.kind !== 'constant') return [];
  const { value } = parsed;
  return typeof value !== 'object' || value === null || isJsonList(value)
    ? []
    : Object.entries(value).map(([key, member]) => [key, constant(member)] as const);
};
