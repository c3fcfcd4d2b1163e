import type { TextBounds } from '../fields/text-bounds.ts';
import type { JsonMap } from '@gateway/go-template';
import { MAX_MAPPING_ENTRIES } from '../resource/limits.ts';
import { ITEMS, type CelRule } from '../rules/cel-rule.ts';
import {
  isShownDefault,
  type FieldShape,
  type ObjectField,
  type ObjectShape,
} from '../schema/field-shape.ts';
import { re2Pattern } from './re2-pattern.ts';

/** The place of a schema, and the rules of the whole resource. */
interface Place {
  readonly path: readonly string[];
  readonly rules: readonly CelRule[];
}

/** Makes the API server preserve the fields below without validation. */
const FREE_FORM: JsonMap = { 'x-kubernetes-preserve-unknown-fields': true };

const MAX_INT32 = 2_147_483_647;

const below = ({ path, rules }: Place, segment: string): Place => ({
  path: [...path, segment],
  rules,
});

const appliesAt = ({ path }: Place, rule: CelRule): boolean =>
  rule.path.length === path.length && rule.path.every((segment, at) => segment === path[at]);

const validationsAt = (place: Place): JsonMap => {
  const here = place.rules.filter((rule) => appliesAt(place, rule));
  if (here.length === 0) return {};
  return {
    'x-kubernetes-validations': here.map(({ rule, message, fieldPath, reason }) => ({
      rule,
      message,
      ...(fieldPath !== undefined && { fieldPath }),
      ...(reason !== undefined && { reason }),
    })),
  };
};

const textSchema = ({ min = 0, max, pattern }: TextBounds): JsonMap => ({
  type: 'string',
  ...(min > 0 && { minLength: min }),
  maxLength: max,
  ...(pattern !== undefined && { pattern: re2Pattern(pattern.regex) }),
});

const integerSchema = ({
  min,
  max,
}: {
  readonly min?: number;
  readonly max?: number;
}): JsonMap => ({
  type: 'integer',
  format: max !== undefined && max <= MAX_INT32 ? 'int32' : 'int64',
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
});

const fieldSchema = (field: ObjectField, place: Place): JsonMap => ({
  ...(field.about !== undefined && { description: field.about }),
  ...structuralSchemaOf(field.shape, below(place, field.name)),
  ...(isShownDefault(field.default) && { default: field.default }),
});

const objectSchema = ({ fields }: ObjectShape, place: Place): JsonMap => {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, place)])),
    ...validationsAt(place),
  };
};

/**
 * A map of any values has this keyword once: rules of the API server can only test the presence of a free-form
 * object.
 */
const mapSchema = (
  { values, bounds }: Extract<FieldShape, { readonly kind: 'map' }>,
  place: Place,
): JsonMap => ({
  type: 'object',
  maxProperties: bounds.maxEntries,
  ...(values.kind === 'value'
    ? FREE_FORM
    : { additionalProperties: structuralSchemaOf(values, below(place, ITEMS)) }),
});

type ShapeOf<Kind extends FieldShape['kind']> = Extract<FieldShape, { readonly kind: Kind }>;

const printers: {
  readonly [Kind in FieldShape['kind']]: (shape: ShapeOf<Kind>, place: Place) => JsonMap;
} = {
  text: ({ bounds }) => textSchema(bounds),
  choice: ({ values }) => ({ type: 'string', enum: values }),
  flag: () => ({ type: 'boolean' }),
  integer: integerSchema,
  list: ({ items, maxItems }, place) => ({
    type: 'array',
    ...(maxItems !== undefined && { maxItems }),
    items: structuralSchemaOf(items, below(place, ITEMS)),
  }),
  object: objectSchema,
  map: mapSchema,
  mapping: () => ({ type: 'object', maxProperties: MAX_MAPPING_ENTRIES, ...FREE_FORM }),
  value: () => FREE_FORM,
};

/**
 * Returns a structural schema as `apiextensions.k8s.io/v1` requires it: no references, a type on everything except free-form
 * values, bounds on every text, list and map, and the rules in place. Keys of maps are not validated, because Kubernetes has no
 * keyword for them.
 */
export function structuralSchemaOf<Kind extends FieldShape['kind']>(
  shape: ShapeOf<Kind> & { readonly kind: Kind },
  place: Place,
): JsonMap {
  return printers[shape.kind](shape, place);
}
