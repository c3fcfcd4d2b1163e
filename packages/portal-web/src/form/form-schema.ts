import { isJsonObject, type JsonObject, toObject } from '@gateway/call-contract';
import type { RJSFSchema } from '@rjsf/utils';
import { withoutPatternProperties } from './safe-patterns.ts';

/** Deeper parts of a schema stay as they are. */
const MAX_DEPTH = 32;

/** Assigned properties of this name would be prototypes, so the form library has no field for it. */
const PROTOTYPE = '__proto__';

type Change = (schema: unknown, depth: number) => unknown;

const changeMembers = (members: unknown, change: Change, depth: number): unknown =>
  isJsonObject(members)
    ? Object.fromEntries(
        Object.entries(members).map(([name, member]) => [name, change(member, depth)]),
      )
    : members;

/** `enumNames`, of the first revisions of elicitation, names the values of `enum`. */
const withTitles = (schema: JsonObject): JsonObject => {
  const { enum: values, enumNames: names, ...others } = schema;
  if (!Array.isArray(values) || !Array.isArray(names)) return schema;
  return {
    ...others,
    oneOf: values.map((value: unknown, at) => ({
      const: value,
      title: typeof names[at] === 'string' ? names[at] : String(value),
    })),
  };
};

const isConstant = (schema: unknown): boolean =>
  isJsonObject(schema) && Object.hasOwn(schema, 'const');

const isChoice = (items: unknown): boolean => {
  if (!isJsonObject(items)) return false;
  const { enum: values, anyOf, oneOf } = items;
  const parts: unknown = anyOf ?? oneOf;
  return Array.isArray(values) || (Array.isArray(parts) && parts.every(isConstant));
};

/** A list of choices is one field with several values; the form library needs `uniqueItems` for it. */
const withUniqueChoices = (schema: JsonObject): JsonObject =>
  isChoice(schema['items']) ? { ...schema, uniqueItems: true } : schema;

const changeSchema: Change = (schema, depth) => {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return schema;
  const { properties, items } = schema;
  return withUniqueChoices(
    withTitles({
      ...schema,
      ...(properties !== undefined && {
        properties: changeMembers(properties, changeSchema, depth + 1),
      }),
      ...(items !== undefined && { items: changeSchema(items, depth + 1) }),
    }),
  );
};

/** Returns a schema with which the form library shows the choices of MCP as fields. It describes the same values. */
export const toFormSchema = (schema: JsonObject): RJSFSchema =>
  changeSchema(withoutPatternProperties(schema), 0) as RJSFSchema;

/** Returns whether a schema has a property that a form has no field for. */
export const hasMissingField = (schema: unknown, depth = 0): boolean => {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return false;
  const { properties, items } = schema;
  const members = toObject(properties);
  return (
    Object.hasOwn(members, PROTOTYPE) ||
    Object.values(members).some((member) => hasMissingField(member, depth + 1)) ||
    hasMissingField(items, depth + 1)
  );
};

/** Returns whether a schema has a text among its properties or in their members. */
export const hasText = (schema: unknown, depth = 0): boolean => {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return false;
  const { type, properties, items } = schema;
  const members = isJsonObject(properties) ? Object.values(properties) : [];
  return type === 'string' || [...members, items].some((member) => hasText(member, depth + 1));
};
