import type { JsonMap, JsonValue } from '@gateway/go-template';
import type * as z from 'zod/mini';
import {
  type Field,
  type KeyedMapBounds,
  type ServerFieldFacts,
  type TextBounds,
  readFieldFacts,
} from '../fields/field-facts.ts';
import { objectMetadataFields } from '../fields/fields.ts';
import { mcpServerStatusFields } from '../mcp-server/mcp-server-status.ts';
import { mcpServerSpecFields } from '../mcp-server/spec-fields.ts';
import type { ResourceKind } from '../rules/cel-rules.ts';
import { workflowSpecFields } from '../workflow/spec-fields.ts';
import { workflowStatusFields } from '../workflow/workflow-status.ts';

/** The values that a field accepts, as plain data. Every schema, type and table is generated from it. */
export type FieldShape =
  | { readonly kind: 'text'; readonly bounds: TextBounds }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'integer'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'list'; readonly items: FieldShape; readonly maxItems?: number }
  | ObjectShape
  | { readonly kind: 'map'; readonly values: FieldShape; readonly bounds: KeyedMapBounds }
  /** A mapping of any values of JSON. */
  | { readonly kind: 'mapping' }
  /** Any JSON value. */
  | { readonly kind: 'value' };

/** The field shapes of a kind. */
export type ShapeByKind<Kind extends FieldShape['kind']> = Extract<
  FieldShape,
  { readonly kind: Kind }
>;

/** An object with these fields and no others. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: readonly ObjectField[];
  /** JSON Schema keywords that the fields do not express. */
  readonly also?: JsonMap;
}

export interface ObjectField {
  readonly name: string;
  readonly shape: FieldShape;
  readonly isRequired: boolean;
  readonly default?: JsonValue;
  readonly about?: string;
  readonly server?: ServerFieldFacts;
}

/** Returns whether a default is shown: it is not empty. */
export const isShownDefault = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

type Def = z.core.$ZodTypes['_zod']['def'];

/** A field without what wraps it. */
interface Unwrapped extends Omit<ObjectField, 'name' | 'shape'> {
  readonly field: Field;
}

const readDef = (field: Field): Def => field._zod.def as Def;

/** A pipe is described by its input: schemas describe documents, not parsed values. */
const unwrapField = (field: Field): Unwrapped => {
  const def = readDef(field);
  const isWrapped = def.type === 'optional' || def.type === 'default';
  const { about, server } = readFieldFacts(field);
  return {
    ...(isWrapped ? unwrapField(def.innerType) : { field }),
    isRequired: !isWrapped,
    ...(def.type === 'default' && { default: def.defaultValue as JsonValue }),
    ...(about !== undefined && { about }),
    ...(server !== undefined && { server }),
  };
};

const isRefused = (field: Field): boolean =>
  readFieldFacts(unwrapField(field).field).isRefused === true;

const toObjectField = (name: string, wrapped: Field): ObjectField => {
  const { field, ...rest } = unwrapField(wrapped);
  return { name, shape: toShape(field), ...rest };
};

const toObjectShape = (field: Field, members: Readonly<Record<string, Field>>): ObjectShape => {
  const { name, also } = readFieldFacts(field);
  if (name === undefined) throw new Error('an object of the resources has no name');
  const fields = Object.entries(members)
    .filter(([, member]) => !isRefused(member))
    .map(([member, value]) => toObjectField(member, value));
  return { kind: 'object', name, fields, ...(also !== undefined && { also }) };
};

const listShape = (field: Field, items: Field): FieldShape => {
  const { maxItems } = readFieldFacts(field);
  return { kind: 'list', items: toShape(items), ...(maxItems !== undefined && { maxItems }) };
};

type DefByType<Type extends Def['type']> = Extract<Def, { readonly type: Type }>;

/** Returns the facts that zod has of a field, for the types that the resources use. */
const shapes: {
  readonly [Type in 'object' | 'enum' | 'boolean' | 'array' | 'pipe' | 'unknown']: (
    field: Field,
    def: DefByType<Type>,
  ) => FieldShape;
} = {
  object: (field, { shape }) => toObjectShape(field, shape),
  enum: (_field, { entries }) => ({ kind: 'choice', values: Object.values(entries).map(String) }),
  boolean: () => ({ kind: 'flag' }),
  array: (field, { element }) => listShape(field, element),
  pipe: (_field, def) => toShape(def.in),
  unknown: () => ({ kind: 'value' }),
};

const isKnown = (type: string): type is keyof typeof shapes => Object.hasOwn(shapes, type);

const toDefShape = (field: Field): FieldShape => {
  const def = readDef(field);
  if (!isKnown(def.type)) throw new Error(`the resources have no fields of the kind ${def.type}`);
  // The definition has the type of its key, which an index access cannot express.
  return (shapes[def.type] as (field: Field, def: Def) => FieldShape)(field, def);
};

/**
 * Returns the values that a field accepts.
 *
 * @throws Error when the field uses a feature of zod that no resource uses
 */
function toShape(field: Field): FieldShape {
  const { text, integer, map, json } = readFieldFacts(field);
  if (text !== undefined) return { kind: 'text', bounds: text };
  if (integer !== undefined) return { kind: 'integer', ...integer };
  if (map !== undefined) return { kind: 'map', values: toShape(map.entry), bounds: map.bounds };
  if (json !== undefined) return { kind: json };
  return toDefShape(field);
}

/** The shape of a document of a kind. */
export interface ResourceShape {
  readonly about: string;
  readonly metadata: ObjectShape;
  readonly spec: ObjectShape;
  readonly status: ObjectShape;
}

interface ResourceFields {
  readonly about: string;
  readonly spec: Field;
  readonly status: Field;
}

const resources: Readonly<Record<ResourceKind, ResourceFields>> = {
  MCPServer: {
    about: 'A downstream MCP server, whose tools the gateway serves.',
    spec: mcpServerSpecFields,
    status: mcpServerStatusFields,
  },
  Workflow: {
    about: 'Many tool calls as one tool, workflow_<name>.',
    spec: workflowSpecFields,
    status: workflowStatusFields,
  },
};

/** Returns the shape of a document of a kind. @spec §2.6, §2.7 */
export const createResourceShape = (kind: ResourceKind): ResourceShape => {
  const { about, spec, status } = resources[kind];
  return {
    about,
    // Each part is an object.
    metadata: toShape(objectMetadataFields) as ObjectShape,
    spec: toShape(spec) as ObjectShape,
    status: toShape(status) as ObjectShape,
  };
};
