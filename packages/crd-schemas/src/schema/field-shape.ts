import type { TextBounds } from '../fields/text-bounds.ts';
import type { KeyedMapBounds } from '../fields/keyed-map-bounds.ts';
import type { JsonMap, JsonValue } from '@gateway/go-template';

/** What a field accepts, as plain data. Every schema, type and table is a printing of it. */
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
  /** Any value of JSON. */
  | { readonly kind: 'value' };

/** An object that has these fields and no others. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: readonly ObjectField[];
  /** Keywords of JSON Schema that say what the fields do not. */
  readonly also?: JsonMap;
}

/** One field of an object. */
export interface ObjectField {
  readonly name: string;
  readonly shape: FieldShape;
  readonly isRequired: boolean;
  readonly default?: JsonValue;
  readonly about?: string;
}

/** Whether a default says more than that nothing is there. */
export const isShownDefault = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
