import { RE2JS } from 're2js';

type Schema = Readonly<Record<string, unknown>>;

/** The member as a text; empty when it is none. */
const formatText = (schema: Schema, key: string): string => {
  const value = schema[key];
  return typeof value === 'string' ? value : '';
};

const isMap = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every keyword that a structural schema may use outside of `allOf`, `anyOf`, `oneOf` and `not`. */
const ALLOWED = new Set([
  'additionalProperties',
  'allOf',
  'anyOf',
  'default',
  'description',
  'enum',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'not',
  'nullable',
  'oneOf',
  'pattern',
  'properties',
  'required',
  'title',
  'type',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

const TYPES = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);
const REASONS = new Set([
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]);

const isFreeForm = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true;

const typeProblems = (schema: Schema): readonly string[] => {
  if (schema['type'] === undefined) return isFreeForm(schema) ? [] : ['type: is missing'];
  const type = formatText(schema, 'type');
  return TYPES.has(type) ? [] : [`type: "${type}" is none`];
};

const keywordProblems = (schema: Schema): readonly string[] =>
  Object.keys(schema)
    .filter((keyword) => !ALLOWED.has(keyword))
    .map((keyword) => `${keyword}: is forbidden`);

const objectProblems = (schema: Schema): readonly string[] => {
  const { properties, additionalProperties, required } = schema;
  const problems: string[] = [];
  if (additionalProperties !== undefined) {
    if (properties !== undefined) problems.push('additionalProperties: stands beside properties');
    if (!isMap(additionalProperties)) problems.push('additionalProperties: is no schema');
  }
  for (const name of (required ?? []) as readonly string[])
    if (!isMap(properties) || !Object.hasOwn(properties, name))
      problems.push(`required: ${name} is no property`);
  if (schema['type'] === 'array' && !isMap(schema['items'])) problems.push('items: is missing');
  return problems;
};

const patternProblems = (schema: Schema): readonly string[] => {
  try {
    RE2JS.compile(formatText(schema, 'pattern'));
    return [];
  } catch (error) {
    return [`pattern: ${String(error)}`];
  }
};

/** Whether a default is what the schema asks for, as far as the resources have defaults. */
const defaultProblems = (schema: Schema): readonly string[] => {
  const { default: value } = schema;
  const type = formatText(schema, 'type');
  if (value === undefined) return [];
  const kinds: Readonly<Record<string, boolean>> = {
    boolean: typeof value === 'boolean',
    integer: Number.isInteger(value),
    string: typeof value === 'string',
    array: Array.isArray(value),
    object: isMap(value),
  };
  if (kinds[type] !== true) return [`default: is no ${type}`];
  const pattern = RE2JS.compile(formatText(schema, 'pattern'));
  if (typeof value === 'string' && !pattern.matcher(value).find())
    return ['default: does not match the pattern'];
  const choices = schema['enum'] as readonly unknown[] | undefined;
  return choices === undefined || choices.includes(value) ? [] : ['default: is none of enum'];
};

/** A text, list or map without an upper bound: a rule over it, or above it, could not be estimated. */
const boundProblems = (schema: Schema): readonly string[] => {
  const { type } = schema;
  if (type === 'string' && schema['maxLength'] === undefined && schema['enum'] === undefined)
    return ['maxLength: is missing'];
  if (type === 'array' && schema['maxItems'] === undefined) return ['maxItems: is missing'];
  const isMapOfAny = type === 'object' && schema['properties'] === undefined;
  return isMapOfAny && schema['maxProperties'] === undefined ? ['maxProperties: is missing'] : [];
};

const fieldAt = (schema: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (isMap(at) && isMap(at['properties']) ? at['properties'][name] : undefined),
    schema,
  );

const messageProblems = (message: string): readonly string[] =>
  message === '' || /[\r\n]/.test(message) || message.length > 2048
    ? ['message: must be one line of 1 to 2,048 characters']
    : [];

const ruleProblems = (schema: Schema): readonly string[] =>
  ((schema['x-kubernetes-validations'] ?? []) as readonly Schema[]).flatMap((validation) => {
    const { rule: _rule, message: _message, fieldPath, reason, ...rest } = validation;
    const field = formatText(validation, 'fieldPath');
    return [
      ...Object.keys(rest).map((key) => `rule: ${key} is unknown`),
      ...(formatText(validation, 'rule').trim() === '' ? ['rule: is empty'] : []),
      ...messageProblems(formatText(validation, 'message')),
      ...(reason === undefined || REASONS.has(formatText(validation, 'reason'))
        ? []
        : ['reason: is none']),
      ...(fieldPath === undefined || fieldAt(schema, field.split('.').slice(1)) !== undefined
        ? []
        : [`fieldPath: ${field} is no field`]),
    ];
  });

const childrenOf = (schema: Schema): readonly (readonly [string, Schema])[] => {
  const { properties, items, additionalProperties } = schema;
  const single = { items, additionalProperties };
  return [
    ...Object.entries(isMap(properties) ? properties : {}).map(
      ([name, child]) => [`properties.${name}`, child] as const,
    ),
    ...Object.entries(single),
  ].filter((entry): entry is [string, Schema] => isMap(entry[1]));
};

const CHECKS = [
  keywordProblems,
  typeProblems,
  objectProblems,
  patternProblems,
  defaultProblems,
  ruleProblems,
];

const createChildPlace = (
  schema: Schema,
  path: string,
  checks: typeof CHECKS,
): readonly string[] => [
  ...checks.flatMap((check) => check(schema)).map((problem) => `${path}: ${problem}`),
  ...childrenOf(schema).flatMap(([name, child]) =>
    createChildPlace(child, `${path}.${name}`, checks),
  ),
];

/**
 * What keeps a schema from being structural, as the API server checks it, and what it leaves unbounded below `spec` and `status`.
 * Knows of the API server's rules those that generated schemas could break.
 */
export const structuralProblems = (schema: Schema): readonly string[] => {
  const { apiVersion, kind, metadata, ...own } = (schema['properties'] ?? {}) as Schema;
  const meta = isMap(metadata) ? Object.keys(metadata) : [];
  return [
    ...createChildPlace(schema, '', CHECKS),
    ...(schema['type'] === 'object' ? [] : [': type: the root must be an object']),
    ...(meta.length === 1 && meta[0] === 'type' ? [] : ['.metadata: must be a plain object']),
    ...(isMap(apiVersion) && isMap(kind) ? [] : [': apiVersion and kind are missing']),
    ...Object.entries(own).flatMap(([name, child]) =>
      createChildPlace(child as Schema, `.${name}`, [boundProblems]),
    ),
  ];
};
