import type { ValueSchema } from './value-schema.ts';

const PLURALS: Readonly<Record<string, string>> = {
  string: 'texts',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  array: 'lists',
  object: 'objects',
};

const plural = (schema: ValueSchema): string => {
  const { type } = schema;
  return typeof type === 'string' ? (PLURALS[type] ?? 'values') : 'values';
};

const objectName = ({ properties, additionalProperties: named }: ValueSchema): string => {
  if (Object.keys(properties ?? {}).length > 0) return 'group';
  return typeof named === 'object' ? `map of ${plural(named)}` : 'object';
};

const oneType = (type: string, schema: ValueSchema): string => {
  if (type === 'array')
    return schema.items === undefined ? 'list' : `list of ${plural(schema.items)}`;
  if (type === 'object') return objectName(schema);
  return type === 'string' ? 'text' : type;
};

/** Returns the type of a value as text: `text`, `list of texts`, `map of objects`, `text or null`. */
export function typeName(schema: ValueSchema): string {
  const options = schema.anyOf ?? schema.oneOf;
  const names =
    options === undefined
      ? [schema.type ?? []].flat().map((type) => oneType(type, schema))
      : options.map(typeName);
  return names.length === 0 ? 'any' : [...new Set(names)].join(' or ');
}

const range = (
  [least, most]: readonly [number | undefined, number | undefined],
  unit: string,
): readonly string[] => {
  if (least !== undefined && most !== undefined)
    return [`${least.toString()} to ${most.toString()}${unit}`];
  if (least !== undefined) return [`at least ${least.toString()}${unit}`];
  return most === undefined ? [] : [`at most ${most.toString()}${unit}`];
};

/** Returns the constraints of a value beyond its type: list, range, length and pattern; empty without constraints. */
export function allowedValues(schema: ValueSchema): string {
  const { enum: listed, const: only, pattern } = schema;
  const values = only === undefined ? listed : [only];
  return [
    ...(values === undefined
      ? []
      : [values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')]),
    ...range([schema.minimum, schema.maximum], ''),
    ...range([schema.minLength, schema.maxLength], ' characters'),
    ...range([schema.minItems, schema.maxItems], ' items'),
    ...range([schema.minProperties, schema.maxProperties], ' keys'),
    ...(pattern === undefined ? [] : [`\`${pattern}\``]),
  ].join('; ');
}
