import type * as z from 'zod/mini';
import { factsOf, type Field } from '../fields/field-facts.ts';
import type { JsonValue } from '@gateway/go-template';
import type { FieldShape, ObjectField, ObjectShape } from './field-shape.ts';

type Def = z.core.$ZodTypes['_zod']['def'];

/** A field without what wraps it. */
interface Unwrapped {
  readonly field: Field;
  readonly isRequired: boolean;
  readonly default?: JsonValue;
  readonly about?: string;
}

const defOf = (field: Field): Def => field._zod.def as Def;

/** A pipe is described by its input: schemas describe documents, not parsed values. */
const unwrapped = (field: Field): Unwrapped => {
  const def = defOf(field);
  const { about } = factsOf(field);
  if (def.type === 'optional' || def.type === 'default') {
    return {
      ...unwrapped(def.innerType),
      isRequired: false,
      ...(def.type === 'default' && { default: def.defaultValue as JsonValue }),
      ...(about !== undefined && { about }),
    };
  }
  return { field, isRequired: true, ...(about !== undefined && { about }) };
};

const isRefused = (field: Field): boolean => factsOf(unwrapped(field).field).isRefused === true;

const objectField = (name: string, wrapped: Field): ObjectField => {
  const { field, ...rest } = unwrapped(wrapped);
  return { name, shape: shapeOf(field), ...rest };
};

const objectShape = (field: Field, members: Readonly<Record<string, Field>>): ObjectShape => {
  const { name, also } = factsOf(field);
  if (name === undefined) throw new Error('an object of the resources has no name');
  const fields = Object.entries(members)
    .filter(([, member]) => !isRefused(member))
    .map(([member, value]) => objectField(member, value));
  return { kind: 'object', name, fields, ...(also !== undefined && { also }) };
};

/** Returns the bound that a check of this kind sets. */
const boundOf = (field: Field, kind: 'less_than' | 'greater_than' | 'max_length') => {
  for (const { _zod: check } of defOf(field).checks ?? []) {
    const def = check.def as z.core.$ZodChecks['_zod']['def'];
    if (def.check !== kind) continue;
    return def.check === 'max_length' ? def.maximum : Number(def.value);
  }
  return undefined;
};

const integerShape = (field: Field): FieldShape => {
  const min = boundOf(field, 'greater_than');
  const max = boundOf(field, 'less_than');
  return { kind: 'integer', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
};

const listShape = (field: Field, items: Field): FieldShape => {
  const maxItems = boundOf(field, 'max_length');
  return { kind: 'list', items: shapeOf(items), ...(maxItems !== undefined && { maxItems }) };
};

type DefOf<Type extends Def['type']> = Extract<Def, { readonly type: Type }>;

/** Returns the facts that zod has of a field, for the types that the resources use. */
const shapes: {
  readonly [Type in 'object' | 'enum' | 'boolean' | 'number' | 'array' | 'pipe' | 'unknown']: (
    field: Field,
    def: DefOf<Type>,
  ) => FieldShape;
} = {
  object: (field, { shape }) => objectShape(field, shape),
  enum: (_field, { entries }) => ({ kind: 'choice', values: Object.values(entries).map(String) }),
  boolean: () => ({ kind: 'flag' }),
  number: integerShape,
  array: (field, { element }) => listShape(field, element),
  pipe: (_field, def) => shapeOf(def.in),
  unknown: () => ({ kind: 'value' }),
};

const isKnown = (type: string): type is keyof typeof shapes => Object.hasOwn(shapes, type);

const shapeOfDef = (field: Field): FieldShape => {
  const def = defOf(field);
  if (!isKnown(def.type)) throw new Error(`the resources have no fields of the kind ${def.type}`);
  // The definition has the type of its key, which an index access cannot express.
  return (shapes[def.type] as (field: Field, def: Def) => FieldShape)(field, def);
};

/**
 * Returns the values that a field accepts.
 *
 * @throws Error when the field uses a feature of zod that no resource uses
 */
export function shapeOf(field: Field): FieldShape {
  const { text, map, json } = factsOf(field);
  if (text !== undefined) return { kind: 'text', bounds: text };
  if (map !== undefined) return { kind: 'map', values: shapeOf(map.entry), bounds: map.bounds };
  if (json !== undefined) return { kind: json };
  return shapeOfDef(field);
}
