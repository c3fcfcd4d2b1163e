import { isJsonObject, type JsonObject } from '@gateway/call-contract';

/** Returns the schema without its type: the type of an argument is stated next to its schema. */
export const withoutType = ({ type: _type, ...schema }: JsonObject): JsonObject => schema;

/** Returns the schema with `null` as a further value. */
const orNull = ({ type, enum: choices, ...schema }: JsonObject): JsonObject => ({
  ...(type !== undefined && { type: [type, 'null'] }),
  ...(Array.isArray(choices) && { enum: [...(choices as readonly unknown[]), null] }),
  ...schema,
});

const memberOfPatch = (schema: unknown): unknown =>
  isJsonObject(schema) ? orNull(patchSchemaOf(schema)) : schema;

/**
 * Returns the schema of a patch of the objects that a schema describes: no member is required or has a default, and `null` removes one.
 * Lists are replaced as a whole.
 *
 * RFC 7396 §2
 */
export const patchSchemaOf = ({
  required: _required,
  default: _default,
  properties,
  additionalProperties,
  ...schema
}: JsonObject): JsonObject => ({
  ...schema,
  ...(isJsonObject(properties) && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, memberOfPatch(member)]),
    ),
  }),
  ...(additionalProperties !== undefined && {
    additionalProperties: memberOfPatch(additionalProperties),
  }),
});
