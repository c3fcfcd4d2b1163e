import * as z from 'zod';
import { OPERATIONS, type OperationName } from './operations.ts';

/** A JSON Schema (2020-12) as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Removes `propertyNames`, which is redundant: names of properties are strings. */
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

/** Returns the input schema of an operation for MCP callers: closed, all arguments in one object. Cached. */
export const inputSchemaOf: (name: OperationName) => JsonSchema = remembered((name) =>
  plain(OPERATIONS[name].input, 'input'),
);

/** Returns the output schema of an operation. It is open, since fields can be added. Cached. */
export const outputSchemaOf: (name: OperationName) => JsonSchema = remembered((name) =>
  plain(OPERATIONS[name].output, 'input'),
);
