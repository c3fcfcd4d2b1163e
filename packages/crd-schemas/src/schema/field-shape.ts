import type { TextBounds } from '../fields/text-bounds.ts';
import type { KeyedMapBounds } from '../fields/keyed-map-bounds.ts';
import type { JsonMap, JsonValue } from '@gateway/go-template';

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

/** An object with these fields and no others. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: readonly ObjectField[];
  /** JSON Schema keywords that the fields do not express. */
  readonly also?: JsonMap;
}

/** A field of an object. */
export interface ObjectField {
  readonly name: string;
  readonly shape: FieldShape;
  readonly isRequired: boolean;
  readonly default?: JsonValue;
  readonly about?: string;
}

/** Returns whether a default is shown: it is not empty. */
export const isShownDefault = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
