import { formatApiVersion, isMapping } from '../fields/validation-issue.ts';
import type { TextBounds } from '../fields/field-facts.ts';
import type { JsonMap, JsonValue } from '@gateway/go-template';
import { MAX_MAPPING_ENTRIES } from '../fields/limits.ts';
import type { ResourceKind } from '../rules/cel-rules.ts';
import {
  isShownDefault,
  type FieldShape,
  type ShapeByKind,
  type ObjectField,
  type ObjectShape,
  createResourceShape,
} from './resource-shape.ts';

/** The named parts of a schema in the order of first occurrence; `undefined` for a schema that contains its parts. */
type Definitions = Map<string, JsonMap> | undefined;

const createTextSchema = ({ min = 0, max, pattern }: TextBounds): JsonMap => ({
  ...(min > 0 && { minLength: min }),
  maxLength: max,
  ...(pattern !== undefined && { pattern: pattern.regex.source }),
});

const createKeySchema = (
  { min = 1, ...bounds }: TextBounds,
  reserved: { readonly key: string } | undefined,
): JsonMap => ({
  ...createTextSchema({ min, ...bounds }),
  ...(reserved !== undefined && { not: { const: reserved.key } }),
});

const createIntegerSchema = ({
  min,
  max,
}: {
  readonly min?: number;
  readonly max?: number;
}): JsonMap => ({
  type: 'integer',
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
});

const createFieldSchema = (field: ObjectField, definitions: Definitions): JsonMap => ({
  ...(field.about !== undefined && { description: field.about }),
  ...createSchema(field.shape, definitions),
  ...(isShownDefault(field.default) && { default: field.default }),
});

/** Returns the schema of an object with these fields and no others. */
const createObjectSchema = ({ fields, also }: ObjectShape, definitions: Definitions): JsonMap => {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, createFieldSchema(field, definitions)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...also,
  };
};

const createReference = (shape: ObjectShape, definitions: Definitions): JsonMap => {
  if (definitions === undefined) return createObjectSchema(shape, definitions);
  if (!definitions.has(shape.name)) {
    // Registered before it is filled: definitions are in the order of first occurrence.
    definitions.set(shape.name, {});
    definitions.set(shape.name, createObjectSchema(shape, definitions));
  }
  return { $ref: `#/$defs/${shape.name}` };
};

const printers: {
  readonly [Kind in FieldShape['kind']]: (
    shape: ShapeByKind<Kind>,
    definitions: Definitions,
  ) => JsonMap;
} = {
  text: ({ bounds }) => ({ type: 'string', ...createTextSchema(bounds) }),
  choice: ({ values }) => ({ type: 'string', enum: values }),
  flag: () => ({ type: 'boolean' }),
  integer: createIntegerSchema,
  list: ({ items, maxItems }, definitions) => ({
    type: 'array',
    ...(maxItems !== undefined && { maxItems }),
    items: createSchema(items, definitions),
  }),
  object: createReference,
  map: ({ values, bounds }, definitions) => ({
    type: 'object',
    maxProperties: bounds.maxEntries,
    propertyNames: createKeySchema(bounds.key, bounds.reserved),
    additionalProperties: createSchema(values, definitions),
  }),
  mapping: () => ({ type: 'object', maxProperties: MAX_MAPPING_ENTRIES }),
  value: () => ({}),
};

function createSchema<Kind extends FieldShape['kind']>(
  shape: ShapeByKind<Kind> & { readonly kind: Kind },
  definitions: Definitions,
): JsonMap {
  return printers[shape.kind](shape, definitions);
}

/** Which group a generated schema is for. */
export interface SchemaOptions {
  /** `gateway.internal` when absent. */
  readonly apiGroup?: string | undefined;
}

/**
 * Returns the JSON Schema (2020-12) of a document of this kind, for editors and other programs. It describes single fields
 * completely; requirements between fields are in the rules (`listCelRules`), the syntax of templates in neither.
 *
 * @spec §2.6, §2.7, §8
 */
export const createJsonSchema = (kind: ResourceKind, { apiGroup }: SchemaOptions = {}): JsonMap => {
  const { about, metadata, spec } = createResourceShape(kind);
  const apiVersion = formatApiVersion(apiGroup);
  const definitions = new Map<string, JsonMap>();
  const properties: Record<string, JsonValue> = {
    apiVersion: { description: 'API group and version of the resource.', const: apiVersion },
    kind: { description: 'Kind of the resource.', const: kind },
    metadata: { description: 'Name and labels.', ...createReference(metadata, definitions) },
    spec: { description: 'The desired state.', ...createReference(spec, definitions) },
    status: { description: 'Written by the gateway. Accepted and ignored.' },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://${apiVersion}/${kind.toLowerCase()}.schema.json`,
    title: kind,
    description: about,
    type: 'object',
    properties,
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    additionalProperties: false,
    $defs: Object.fromEntries(definitions),
  };
};

/** A field of `MCPServer.spec` as an argument of a tool. */
export interface ServerArgument {
  readonly name: string;
  readonly description: string;
  /** Without bounds and descriptions, except for `auth`: the rules of the resource state them. */
  readonly schema: JsonMap;
}

/** Keywords that arguments of tools do not repeat. */
const DETAILS: ReadonlySet<string> = new Set([
  'default',
  'description',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minLength',
  'pattern',
  'propertyNames',
]);

const withoutDetails = (schema: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
      if (DETAILS.has(key)) return [];
      if (key === 'properties')
        return [
          [
            key,
            Object.fromEntries(
              Object.entries(value as Readonly<Record<string, JsonMap>>).map(([name, member]) => [
                name,
                withoutDetails(member),
              ]),
            ),
          ],
        ];
      return [[key, isMapping(value) ? withoutDetails(value) : value]];
    }),
  );

/** Returns the fields of `MCPServer.spec` as arguments of a tool, in the order of the resource. @spec §2.6 */
export const listServerArguments = (): readonly ServerArgument[] =>
  createResourceShape('MCPServer').spec.fields.map(
    ({ name, shape, server, about = '', default: value }) => {
      if (server === undefined) throw new Error(`no meaning of the field ${name}`);
      const schema = createSchema(shape, undefined);
      return {
        name,
        description: server.argument ?? about.replace(/\.$/, ''),
        schema: {
          ...(server.isDetailed === true ? schema : withoutDetails(schema)),
          ...(isShownDefault(value) && { default: value }),
        },
      };
    },
  );

/** Returns the least and the greatest value of a field of `MCPServer.spec` that is an integer. */
export const findServerBounds = (name: string): { readonly min: number; readonly max: number } => {
  const shape = createResourceShape('MCPServer').spec.fields.find(
    (field) => field.name === name,
  )?.shape;
  if (shape?.kind !== 'integer' || shape.min === undefined || shape.max === undefined)
    throw new Error(`${name} has no bounds`);
  return { min: shape.min, max: shape.max };
};
