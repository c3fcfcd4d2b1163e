import { isJsonObject, referencedSchema, type JsonObject } from '@gateway/call-contract';

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';

const TYPES: readonly unknown[] = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
];

const isPattern: Check = (value) => {
  try {
    // It is compiled, never run.
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** The keywords that a compiler of schemas reads, with the condition of their values. */
const KEYWORDS: Readonly<Record<string, Check>> = {
  type: (value) => [value].flat().every((one) => TYPES.includes(one)),
  enum: (value) => Array.isArray(value) && value.length > 0,
  required: Array.isArray,
  uniqueItems: isFlag,
  pattern: isPattern,
  format: isText,
  ...Object.fromEntries(
    [
      ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf'],
      ...['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'],
    ].map((keyword) => [keyword, isNumber]),
  ),
  // A schema below the root with an identifier of its own, and keywords that change how references are read.
  id: () => false,
  $anchor: () => false,
  $async: (value) => value === false,
};

const SCHEMAS: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'contains', 'additionalItems', 'additionalProperties'],
  'propertyNames',
]);
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);

/** Returns the schemas in the value of a keyword; `undefined` for a value that the keyword cannot have. */
const schemasOf = (keyword: string, value: unknown): readonly unknown[] | undefined => {
  if (SCHEMAS.has(keyword)) return [value];
  if (keyword === 'items') return [value].flat();
  if (LISTS.has(keyword)) return Array.isArray(value) ? value : undefined;
  if (!MAPS.has(keyword) && keyword !== 'dependencies') return [];
  if (!isJsonObject(value)) return undefined;
  if (keyword === 'patternProperties' && !Object.keys(value).every(isPattern)) return undefined;
  const schemas = Object.values(value);
  return keyword === 'dependencies' ? schemas.filter((one) => !Array.isArray(one)) : schemas;
};

const hasNullableProblem = ({ type, nullable }: JsonObject): boolean =>
  nullable !== undefined &&
  (!isFlag(nullable) || type === undefined || (!nullable && [type].flat().includes('null')));

const canCompileAt = (schema: JsonObject, root: JsonObject): boolean => {
  const { $ref, $id } = schema;
  if ($id !== undefined && (schema !== root || !isText($id))) return false;
  if (
    $ref !== undefined &&
    (typeof $ref !== 'string' || referencedSchema(root, $ref) === undefined)
  )
    return false;
  if (hasNullableProblem(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (check?.(value) === false) return false;
    const schemas = schemasOf(keyword, value);
    return schemas?.every((one) => canCompile(one, root)) ?? false;
  });
};

const canCompile = (schema: unknown, root: JsonObject): boolean =>
  isFlag(schema) || (isJsonObject(schema) && canCompileAt(schema, root));

/**
 * Returns whether clients that compile the output schemas of a whole list at once can compile this one. The SDK of generation 1 does, and
 * drops the list with the first schema that fails.
 */
export const isCompilable = (schema: JsonObject): boolean => canCompileAt(schema, schema);
