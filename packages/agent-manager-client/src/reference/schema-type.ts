import type { JsonSchema } from '../operations/operation-schemas.ts';
import { plain, type InlineText } from './inline-text.ts';

const schemaIn = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined;

/** The name that a reference into the document's schemas ends with. */
const referenceName = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

const typesOf = ({ type }: JsonSchema): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string');

const ofValues = (schema: JsonSchema): InlineText | undefined => {
  const values = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  const only = 'const' in schema ? [schema['const']] : values;
  return only && [plain(only.map((value) => JSON.stringify(value)).join(' or '))];
};

const ofType = (type: string, schema: JsonSchema): InlineText => {
  const items = schemaIn(schema['items']);
  if (type === 'array' && items !== undefined) return [plain('list of '), ...schemaType(items)];
  const values = schemaIn(schema['additionalProperties']);
  if (type !== 'object' || values === undefined) return [plain(type)];
  return Object.keys(values).length === 0
    ? [plain('map of any value')]
    : [plain('map of '), ...schemaType(values)];
};

/** Returns the type of a schema as text, with a link where it has a name. */
export const schemaType = (schema: JsonSchema): InlineText => {
  const name = referenceName(schema);
  if (name !== undefined) return [{ text: name, kind: 'link' }];
  const values = ofValues(schema);
  if (values !== undefined) return values;
  return typesOf(schema).flatMap((type, at) => [
    ...(at === 0 ? [] : [plain(' or ')]),
    ...ofType(type, schema),
  ]);
};

/** A field of an object, those of objects in it included, by its path: `skills.gitRefs[].url`. */
export interface SchemaField {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The objects in a schema whose fields are shown with it: its own, and those of its items. */
const inner = (path: string, schema: JsonSchema): readonly SchemaField[] => {
  if (schemaIn(schema['properties']) !== undefined) return schemaFields(schema, `${path}.`);
  const items = schemaIn(schema['items']);
  return items === undefined ? [] : inner(`${path}[]`, items);
};

/** All fields of an object schema, in its order. */
export const schemaFields = (schema: JsonSchema, prefix = ''): readonly SchemaField[] => {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schemaIn(schema['properties']) ?? {}).flatMap(([name, value]) => {
    const field = schemaIn(value) ?? {};
    const path = prefix + name;
    return [{ path, schema: field, isRequired: required.includes(name) }, ...inner(path, field)];
  });
};
