import {
  isJsonList,
  isJsonMap,
  parseTemplate,
  type JsonMap,
  type JsonValue,
  type ValueTemplate,
} from '@gateway/go-template';

/** Returns a parsed value as JSON, with the text of each template. */
export const sourceOf = (value: ValueTemplate): JsonMap => {
  switch (value.kind) {
    case 'constant':
      return { constant: value.value };
    case 'template':
      return { template: value.template.text };
    case 'list':
      return { list: value.items.map(sourceOf) };
    case 'map':
      return { map: value.entries.map(([key, member]) => [key, sourceOf(member)]) };
  }
};

const templateOf = (text: string): ValueTemplate => {
  const parsed = parseTemplate(text);
  // The text was a template where the work comes from.
  if (!parsed.ok) throw new TypeError(parsed.message);
  return { kind: 'template', template: parsed.template };
};

const entryOf = (entry: JsonValue): readonly [string, ValueTemplate] => {
  const [key, member] = entry as readonly [string, JsonMap];
  return [key, valueOf(member)];
};

/** Parses the result of {@link sourceOf}. */
export const valueOf = (source: JsonValue | undefined): ValueTemplate => {
  if (!isJsonMap(source)) throw new TypeError('not the source of a value');
  const { template, list, map } = source;
  if (typeof template === 'string') return templateOf(template);
  if (isJsonList(list)) return { kind: 'list', items: list.map(valueOf) };
  if (isJsonList(map)) return { kind: 'map', entries: map.map(entryOf) };
  return { kind: 'constant', value: source['constant'] ?? null };
};
