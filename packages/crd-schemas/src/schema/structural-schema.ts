import type { JsonMap } from '@gateway/go-template';
import type { TextBounds } from '../fields/field-facts.ts';
import { MAX_MAPPING_ENTRIES } from '../fields/limits.ts';
import { type CelRule, ITEMS } from '../rules/cel-rules.ts';
import {
  type FieldShape,
  type ShapeByKind,
  isShownDefault,
  type ObjectField,
  type ObjectShape,
} from './resource-shape.ts';

/** The characters of JavaScript's `\s`, inside a class; RE2's own `\s` is ASCII only. */
const SPACES =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** The characters of JavaScript's `.`; RE2's `.` matches all but `\n`. */
const ANY_BUT_LINE_ENDS = '[^\\n\\r\\x{2028}\\x{2029}]';

/** Escapes that mean the same in both. */
const SAME = /^\\([tnrfv.\-^$*+?()[\]{}|\\]|x[0-9a-f]{2})$/i;

const TOKEN = /\\x[0-9a-f]{2}|\\.|\(\?:?|[^]/gi;

const toRe2Token = (token: string): string => {
  if (token === '.') return ANY_BUT_LINE_ENDS;
  return token === '\\s' ? `[${SPACES}]` : token;
};

const toClassToken = (token: string): string => (token === '\\s' ? SPACES : token);

/**
 * The same syntax as RE2 writes it, which the API server runs: it accepts the same texts.
 *
 * @throws Error when the pattern uses what RE2 has not
 */
export const toRe2Pattern = ({ source }: RegExp): string => {
  let isInClass = false;
  const tokens = (source.match(TOKEN) ?? []).map((token) => {
    if (token === '\\/') return '/';
    const isForeign = token === '(?' || (token.startsWith('\\') && !SAME.test(token));
    if (isForeign && token !== '\\s') throw new Error(`RE2 cannot run the pattern ${source}`);
    if (token === '[' && !isInClass) isInClass = true;
    else if (token === ']') isInClass = false;
    return isInClass ? toClassToken(token) : toRe2Token(token);
  });
  return tokens.join('');
};

/** The place of a schema, and the rules of the whole resource. */
interface Place {
  readonly path: readonly string[];
  readonly rules: readonly CelRule[];
}

/** Makes the API server preserve the fields below without validation. */
const FREE_FORM: JsonMap = { 'x-kubernetes-preserve-unknown-fields': true };

const MAX_INT32 = 2_147_483_647;

const createChildPlace = ({ path, rules }: Place, segment: string): Place => ({
  path: [...path, segment],
  rules,
});

const isApplicable = ({ path }: Place, rule: CelRule): boolean =>
  rule.path.length === path.length && rule.path.every((segment, at) => segment === path[at]);

const createValidations = (place: Place): JsonMap => {
  const here = place.rules.filter((rule) => isApplicable(place, rule));
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

const createTextSchema = ({ min = 0, max, pattern }: TextBounds): JsonMap => ({
  type: 'string',
  ...(min > 0 && { minLength: min }),
  maxLength: max,
  ...(pattern !== undefined && { pattern: toRe2Pattern(pattern.regex) }),
});

const createIntegerSchema = ({
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

const createFieldSchema = (field: ObjectField, place: Place): JsonMap => ({
  ...(field.about !== undefined && { description: field.about }),
  ...createStructuralSchema(field.shape, createChildPlace(place, field.name)),
  ...(isShownDefault(field.default) && { default: field.default }),
});

const createObjectSchema = ({ fields }: ObjectShape, place: Place): JsonMap => {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      fields.map((field) => [field.name, createFieldSchema(field, place)]),
    ),
    ...createValidations(place),
  };
};

/**
 * A map of any values has this keyword once: rules of the API server can only test the presence of a free-form
 * object.
 */
const mapSchema = ({ values, bounds }: ShapeByKind<'map'>, place: Place): JsonMap => ({
  type: 'object',
  maxProperties: bounds.maxEntries,
  ...(values.kind === 'value'
    ? FREE_FORM
    : { additionalProperties: createStructuralSchema(values, createChildPlace(place, ITEMS)) }),
});

const printers: {
  readonly [Kind in FieldShape['kind']]: (shape: ShapeByKind<Kind>, place: Place) => JsonMap;
} = {
  text: ({ bounds }) => createTextSchema(bounds),
  choice: ({ values }) => ({ type: 'string', enum: values }),
  flag: () => ({ type: 'boolean' }),
  integer: createIntegerSchema,
  list: ({ items, maxItems }, place) => ({
    type: 'array',
    ...(maxItems !== undefined && { maxItems }),
    items: createStructuralSchema(items, createChildPlace(place, ITEMS)),
  }),
  object: createObjectSchema,
  map: mapSchema,
  mapping: () => ({ type: 'object', maxProperties: MAX_MAPPING_ENTRIES, ...FREE_FORM }),
  value: () => FREE_FORM,
};

/**
 * Returns a structural schema as `apiextensions.k8s.io/v1` requires it: no references, a type on everything except free-form
 * values, bounds on every text, list and map, and the rules in place. Keys of maps are not validated, because Kubernetes has no
 * keyword for them.
 */
export function createStructuralSchema<Kind extends FieldShape['kind']>(
  shape: ShapeByKind<Kind> & { readonly kind: Kind },
  place: Place,
): JsonMap {
  return printers[shape.kind](shape, place);
}
