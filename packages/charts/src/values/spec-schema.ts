import { jsonSchemaOf, type ResourceKind } from '@gateway/crd-schemas';
import type { ValueSchema } from './value-schema.ts';

type Definitions = Readonly<Record<string, ValueSchema>>;

/** Returns the schema with resolved references. */
const inlined = (value: unknown, definitions: Definitions): unknown => {
  if (Array.isArray(value)) return value.map((item) => inlined(item, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as { readonly $ref?: string };
  const target = $ref === undefined ? {} : definitions[$ref.replace('#/$defs/', '')];
  return Object.fromEntries(
    Object.entries({ ...target, ...rest }).map(([key, inner]) => [
      key,
      inlined(inner, definitions),
    ]),
  );
};

/** Returns the schema of a resource's `spec` as a chart value. */
export function specSchema(kind: ResourceKind): ValueSchema {
  const { $defs, properties } = jsonSchemaOf(kind) as unknown as {
    readonly $defs: Definitions;
    readonly properties: Definitions;
  };
  return inlined(properties['spec'], $defs) as ValueSchema;
}
