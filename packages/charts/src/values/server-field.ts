import { jsonSchemaOf } from '@gateway/crd-schemas';

/** Constraints of a text of the resource `MCPServer`. */
interface FieldBounds {
  readonly pattern: string;
  readonly maxLength: number;
}

interface Definitions {
  readonly $defs: Readonly<
    Record<string, { readonly properties: Readonly<Record<string, Partial<FieldBounds>>> }>
  >;
}

const { $defs } = jsonSchemaOf('MCPServer') as unknown as Definitions;

/**
 * Returns pattern and maximum length of a text of the resource `MCPServer`, so that no chart repeats them.
 *
 * @param definition name of a definition in its JSON Schema, such as `Family`
 */
export function serverField(definition: string, field: string): FieldBounds {
  const { pattern, maxLength } = $defs[definition]?.properties[field] ?? {};
  if (pattern === undefined || maxLength === undefined)
    throw new Error(`${definition}.${field} has no pattern or no bound`);
  return { pattern, maxLength };
}
