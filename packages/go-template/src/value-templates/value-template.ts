import type { Template } from '../syntax/tree/template.ts';
import { isJsonList } from '../values/json-kinds.ts';
import type { JsonMap, JsonValue } from '../values/json-value.ts';

/** A JSON value whose texts may be templates, parsed. Keys are never templates. */
export type ValueTemplate =
  | { readonly kind: 'constant'; readonly value: JsonValue }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly ValueTemplate[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, ValueTemplate])[] };

const constant = (value: JsonValue): ValueTemplate => ({ kind: 'constant', value });

type Templates = ReadonlyMap<string, Template>;

const templateOfText = (text: string, templates: Templates): ValueTemplate => {
  const template = templates.get(text);
  return template === undefined ? constant(text) : { kind: 'template', template };
};

const templateOfList = (list: readonly JsonValue[], templates: Templates): ValueTemplate => {
  const items = list.map((item) => valueTemplateOf(item, templates));
  return items.every(({ kind }) => kind === 'constant') ? constant(list) : { kind: 'list', items };
};

const templateOfMap = (map: JsonMap, templates: Templates): ValueTemplate => {
  let isConstant = true;
  const entries: [string, ValueTemplate][] = [];
  for (const key of Object.keys(map)) {
    const parsed = valueTemplateOf(map[key] ?? null, templates);
    isConstant &&= parsed.kind === 'constant';
    entries.push([key, parsed]);
  }
  return isConstant ? constant(map) : { kind: 'map', entries };
};

/**
 * Returns a value with the templates of its texts in place. Parts without templates stay the values that they are.
 * @param templates the parsed templates by their text
 */
export function valueTemplateOf(value: JsonValue, templates: Templates): ValueTemplate {
  if (typeof value === 'string') return templateOfText(value, templates);
  if (typeof value !== 'object' || value === null) return constant(value);
  return isJsonList(value) ? templateOfList(value, templates) : templateOfMap(value, templates);
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
