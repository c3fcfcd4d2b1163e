import type * as z from 'zod/mini';
import type { JsonMap } from '@gateway/go-template';
import type { TextBounds } from './text-bounds.ts';
import type { KeyedMapBounds } from './keyed-map-bounds.ts';

/** A field as zod knows it. */
export type Field = z.core.$ZodType;

/** What a field is and means, as far as zod cannot tell it. Schemas are made from it; parsing never reads it. */
export interface FieldFacts {
  /** What the field is for: one line that editors, `kubectl explain` and the reference show. */
  readonly about?: string;
  /** Of an object: its name in schemas, types and the reference. */
  readonly name?: string;
  readonly text?: TextBounds;
  readonly map?: { readonly entry: Field; readonly bounds: KeyedMapBounds };
  /** Free-form JSON: any value, or a mapping of any values. */
  readonly json?: 'value' | 'mapping';
  /** Of an object: keywords of JSON Schema that say what a further check says. */
  readonly also?: JsonMap;
  /** Nothing is accepted here; the field exists so that its refusal can say why. */
  readonly isRefused?: true;
}

const known = new WeakMap<Field, FieldFacts>();

/** The facts of a field; what is made from a field by further checks has the facts of the field too. */
export const factsOf = (field: Field): FieldFacts => {
  const { parent } = field._zod;
  return { ...(parent === undefined ? {} : factsOf(parent)), ...known.get(field) };
};

/** The same field, of which something more is known. */
export const withFacts = <Known extends z.ZodMiniType>(facts: FieldFacts, field: Known): Known => {
  const copy = field.clone();
  known.set(copy, facts);
  return copy;
};

/** The same field with a description. */
export const described = <Known extends z.ZodMiniType>(about: string, field: Known): Known =>
  withFacts({ about }, field);

/** The same object field with a name. */
export const named = <Known extends z.ZodMiniType>(name: string, field: Known): Known =>
  withFacts({ name }, field);
