import { parseCodeSpans, type InlineText } from './inline-text.ts';
import { schemaType, type SchemaField } from './schema-type.ts';

/** A field of an argument list or of a schema. */
export interface ReferenceField {
  /** Path such as `skills.gitRefs[].url`. */
  readonly path: string;
  readonly type: InlineText;
  readonly isRequired: boolean;
  /** Where a request carries it: `in the path`. Absent for fields of objects and of schemas. */
  readonly location?: string;
  readonly description: InlineText;
}

/** Describes a field of a schema. */
export const referenceField = (
  { path, schema, isRequired }: SchemaField,
  location?: string,
): ReferenceField => ({
  path,
  type: schemaType(schema),
  isRequired,
  ...(location !== undefined && { location }),
  description: parseCodeSpans(
    typeof schema['description'] === 'string' ? schema['description'] : '',
  ),
});
