import { isJsonObject, type JsonObject } from './json.ts';

/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords that map names to schemas. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef']);
/** Keywords that restrict values besides the type. */
const RESTRICTIONS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const', 'enum'];
/** Maximum number of schemas that are followed to decide whether a value may be an object. */
const MAX_FOLLOWED = 64;

/** Returns the schema that a local reference names; `undefined` when there is none. */
export const resolveSchemaReference = (root: JsonObject, reference: string): unknown => {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodePart(part);
    if (typeof at !== 'object' || at === null || key === undefined || !Object.hasOwn(at, key))
      return undefined;
    at = (at as JsonObject)[key];
  }
  return at;
};

const decodePart = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
};

/** Returns whether the type and the listed values of a schema include objects. */
const canBeObject = (schema: JsonObject): boolean => {
  const { type, enum: values } = schema;
  return (
    (type === undefined || [type].flat().includes('object')) &&
    (!Object.hasOwn(schema, 'const') || isJsonObject(schema['const'])) &&
    (!Array.isArray(values) || values.some(isJsonObject))
  );
};

/** Decides whether a schema of a root may accept an object. Where it cannot be known, it may. */
class ObjectSearch {
  readonly #root: JsonObject;
  #followed = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  admits(schema: unknown): boolean {
    this.#followed += 1;
    if (!isJsonObject(schema) || this.#followed > MAX_FOLLOWED) return schema !== false;
    const { allOf, anyOf, oneOf, $ref } = schema;
    const admitsAny = (list: unknown): boolean =>
      !Array.isArray(list) || list.some((one) => this.admits(one));
    return (
      canBeObject(schema) &&
      (!Array.isArray(allOf) || allOf.every((one) => this.admits(one))) &&
      admitsAny(anyOf) &&
      admitsAny(oneOf) &&
      (typeof $ref !== 'string' || this.admits(resolveSchemaReference(this.#root, $ref)))
    );
  }
}

/** Returns a schema whose local references still name the same schemas when it stands at a place of another one. */
const changeReferences = (schema: JsonObject, place: string): JsonObject => {
  const referenceAt = (value: unknown): unknown => {
    if (value === '#') return place;
    return typeof value === 'string' && value.startsWith('#/')
      ? `${place}${value.slice(1)}`
      : value;
  };
  const at = (value: unknown, isMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => at(item, false));
    // References below an `$id` are relative to it.
    if (!isJsonObject(value) || (!isMap && typeof value['$id'] === 'string')) return value;
    const members = Object.entries(value).map(([key, member]): readonly [string, unknown] => {
      if (isMap) return [key, at(member, false)];
      if (REFERENCES.has(key)) return [key, referenceAt(member)];
      return [key, DATA.has(key) ? member : at(member, NAMED.has(key))];
    });
    return Object.fromEntries(members);
  };
  return at(schema, false) as JsonObject;
};

/**
 * Returns the output schema that clients of the 2025 revisions get, in which the root must be an object. A result that is no object goes to
 * them as `{"result": ...}`, so a schema of such results becomes that of `result`. One that accepts both accepts both.
 */
export const toLegacyOutputSchema = (schema: JsonObject): JsonObject => {
  if (schema['type'] === 'object') return schema;
  const { $schema } = schema;
  const dialect = typeof $schema === 'string' ? { $schema } : {};
  if (!new ObjectSearch(schema).admits(schema)) {
    const properties = { result: changeReferences(schema, '#/properties/result') };
    return { ...dialect, type: 'object', properties, required: ['result'] };
  }
  const isOpen =
    schema['type'] === undefined && !RESTRICTIONS.some((key) => Object.hasOwn(schema, key));
  if (isOpen) return { ...schema, type: 'object' };
  const own = { $ref: '#/$defs/result' };
  return {
    ...dialect,
    type: 'object',
    anyOf: [own, { properties: { result: own }, required: ['result'] }],
    $defs: { result: changeReferences(schema, '#/$defs/result') },
  };
};
