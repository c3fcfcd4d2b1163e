import * as z from 'zod';
import {
  BOOLEAN,
  listOf,
  objectOf,
  TEXT,
  TEXT_MAP,
  type Fields,
  type ValueKind,
} from './value-kind.ts';

const required = (shape: z.ZodRawShape): readonly string[] =>
  Object.entries(shape).flatMap(([field, schema]) =>
    schema instanceof z.ZodOptional ? [] : [field],
  );

/**
 * Returns the type that a schema of arguments requires, without lengths and patterns, which have their own texts.
 * Throws for a kind of schema that no argument uses.
 */
const kindOfSchema = (schema: unknown): ValueKind => {
  if (schema instanceof z.ZodOptional) return kindOfSchema(schema.unwrap());
  if (schema instanceof z.ZodString) return TEXT;
  if (schema instanceof z.ZodBoolean) return BOOLEAN;
  if (schema instanceof z.ZodArray) return listOf(kindOfSchema(schema.element));
  if (schema instanceof z.ZodObject) return objectOf(fieldsOf(schema));
  if (schema instanceof z.ZodRecord) return TEXT_MAP;
  throw new TypeError('no type of arguments is made of such a schema');
};

/** The fields of an object as its schema has them. */
export const fieldsOf = ({ shape }: z.ZodObject): Fields => ({
  kinds: new Map(Object.entries(shape).map(([field, schema]) => [field, kindOfSchema(schema)])),
  required: required(shape),
});
