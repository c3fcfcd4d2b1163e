import * as z from 'zod';
import { OPERATIONS, type OperationName } from './operations.ts';

/** A JSON Schema (2020-12) as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** That the names of properties are strings goes without saying. */
const withoutPropertyNames = ({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}) => {
  delete jsonSchema.propertyNames;
};

const plain = (schema: z.ZodObject, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: withoutPropertyNames });
  return rest;
};

const remembered = (make: (name: OperationName) => JsonSchema) => {
  const made = new Map<OperationName, JsonSchema>();
  return (name: OperationName): JsonSchema => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const schema = make(name);
    made.set(name, schema);
    return schema;
  };
};

/** What an operation takes, as MCP callers see it: closed, all arguments side by side. Made once. */
export const inputSchemaOf: (name: OperationName) => JsonSchema = remembered((name) =>
  plain(OPERATIONS[name].input, 'input'),
);

/** What an operation answers. Open: fields may be added. Made once. */
export const outputSchemaOf: (name: OperationName) => JsonSchema = remembered((name) =>
  plain(OPERATIONS[name].output, 'input'),
);
