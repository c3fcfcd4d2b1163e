import type { ListMethod, Era } from '@gateway/mcp-wire';
import {
  type JsonObject,
  isJsonObject,
  toLegacyOutputSchema,
  resolveSchemaReference,
} from '@gateway/call-contract';
import { type ResultStamp, formatResultText } from './results.ts';

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
const listSchemas = (keyword: string, value: unknown): readonly unknown[] | undefined => {
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
    (typeof $ref !== 'string' || resolveSchemaReference(root, $ref) === undefined)
  )
    return false;
  if (hasNullableProblem(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (check?.(value) === false) return false;
    const schemas = listSchemas(keyword, value);
    return schemas?.every((one) => canCompile(one, root)) ?? false;
  });
};

const canCompile = (schema: unknown, root: JsonObject): boolean =>
  isFlag(schema) || (isJsonObject(schema) && canCompileAt(schema, root));

/**
 * Returns whether clients that compile the output schemas of a whole list at once can compile this one. The SDK of generation 1 does, and
 * drops the list with the first schema that fails.
 */
const isCompilable = (schema: JsonObject): boolean => canCompileAt(schema, schema);

/** Returns the value that a client accepts in place of a value; `undefined` when the member must be left out. */
type Rule = (value: unknown) => unknown;
type Rules = Readonly<Record<string, Rule>>;

const createRule =
  (isAccepted: (value: unknown) => boolean): Rule =>
  (value) =>
    isAccepted(value) ? value : undefined;

const text = createRule((value) => typeof value === 'string');
const flag = createRule((value) => typeof value === 'boolean');
const number = createRule((value) => Number.isFinite(value));
const plainObject = createRule(isJsonObject);
const createChoiceRule = (...words: readonly unknown[]): Rule =>
  createRule((value) => words.includes(value));

const share = createRule((value) => typeof value === 'number' && value >= 0 && value <= 1);

const TIME =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A time of RFC 3339 whose day exists. */
const time = createRule((value) => {
  const day = typeof value === 'string' ? TIME.exec(value)?.[1] : undefined;
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === day;
});

/** The accepted items; no list when none of its items is accepted. */
const createListRule =
  (rule: Rule): Rule =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const list: readonly unknown[] = value;
    const items = list.map(rule);
    if (items.every((item, index) => item === list[index])) return list;
    const accepted = items.filter((item) => item !== undefined);
    return accepted.length === 0 ? undefined : accepted;
  };

/** The object with accepted members; no object when a required member is not accepted, or none is left. */
const createObjectRule =
  (rules: Rules, ...required: readonly string[]): Rule =>
  (value) => {
    if (!isJsonObject(value)) return undefined;
    const accepted = withRules(value, rules);
    if (accepted === value && required.length === 0) return value;
    const isComplete = required.every((key) => Object.hasOwn(accepted, key));
    return isComplete && Object.keys(accepted).length > 0 ? accepted : undefined;
  };

/** Returns an object with accepted members; the same one when all are accepted. */
const withRules = (object: JsonObject, rules: Rules): JsonObject => {
  const changed = Object.entries(rules).flatMap(([key, rule]) => {
    if (!Object.hasOwn(object, key)) return [];
    const value = rule(object[key]);
    return value === object[key] ? [] : [[key, value] as const];
  });
  if (changed.length === 0) return object;
  const changes = new Map<string, unknown>(changed);
  const members = Object.entries(object).map(
    ([key, value]) => [key, changes.has(key) ? changes.get(key) : value] as const,
  );
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
};

/** The 2025 revisions require an object for each property. `false` accepts no value, any other value that is no schema accepts all. */
const toPropertySchema: Rule = (value) => {
  if (isJsonObject(value)) return value;
  return value === false ? { not: {} } : {};
};

const toPropertySchemas: Rule = (value) => {
  if (!isJsonObject(value)) return undefined;
  const schemas = Object.entries(value).map(([name, schema]) => [name, toPropertySchema(schema)]);
  return Object.values(value).every(isJsonObject) ? value : Object.fromEntries(schemas);
};

const DIALECT: Rules = { $schema: text };
const LEGACY_SCHEMA: Rules = {
  ...DIALECT,
  properties: toPropertySchemas,
  required: createListRule(text),
};

const isObjectType = (schema: JsonObject): boolean => schema['type'] === 'object';

/** Without `type: object` every client refuses the list. */
const createInputRule =
  (rules: Rules): Rule =>
  (value) => {
    const schema = isJsonObject(value) ? withRules(value, rules) : {};
    return isObjectType(schema) ? schema : { ...schema, type: 'object' };
  };

const toLegacyOutput: Rule = (value) => {
  if (!isJsonObject(value)) return undefined;
  const schema = withRules(toLegacyOutputSchema(value), LEGACY_SCHEMA);
  return isCompilable(schema) ? schema : undefined;
};

const toModernOutput: Rule = (value) =>
  isJsonObject(value) ? withRules(value, DIALECT) : undefined;

const icon = createObjectRule(
  {
    src: text,
    mimeType: text,
    sizes: createListRule(text),
    theme: createChoiceRule('light', 'dark'),
  },
  'src',
);

const COMMON: Rules = {
  title: text,
  description: text,
  icons: createListRule(icon),
  _meta: plainObject,
};

const RESOURCE: Rules = {
  ...COMMON,
  mimeType: text,
  size: number,
  annotations: createObjectRule({
    audience: createListRule(createChoiceRule('user', 'assistant')),
    priority: share,
    lastModified: time,
  }),
};

const TOOL: Rules = {
  ...COMMON,
  annotations: createObjectRule({
    title: text,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
  }),
};

const PROMPT: Rules = {
  ...COMMON,
  arguments: createListRule(
    createObjectRule({ name: text, title: text, description: text, required: flag }, 'name'),
  ),
};

const TASK_SUPPORT = createObjectRule({
  taskSupport: createChoiceRule('required', 'optional', 'forbidden'),
});

/**
 * The members of list entries that clients check, with what they accept. A client of either SDK refuses the whole list for one member of one
 * entry. Other members are not checked and pass unchanged.
 */
const RULES: Readonly<Record<ListMethod, Readonly<Record<Era, Rules>>>> = {
  'tools/list': {
    legacy: {
      ...TOOL,
      inputSchema: createInputRule(LEGACY_SCHEMA),
      outputSchema: toLegacyOutput,
      execution: TASK_SUPPORT,
    },
    modern: { ...TOOL, inputSchema: createInputRule(DIALECT), outputSchema: toModernOutput },
  },
  'resources/list': { legacy: RESOURCE, modern: RESOURCE },
  'resources/templates/list': { legacy: RESOURCE, modern: RESOURCE },
  'prompts/list': { legacy: PROMPT, modern: PROMPT },
};

/** Returns a list entry as the revisions of an era permit it; the same object when they permit it as it is. */
export const toListEntry = (method: ListMethod, entry: JsonObject, era: Era): JsonObject =>
  withRules(entry, RULES[method][era]);

/** The member of its result that carries the items of a list. */
const LIST_MEMBER: Readonly<Record<ListMethod, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** Returns the result of a list method with its items as the revisions of an era permit them. */
export const createListResult = (
  method: ListMethod,
  items: readonly JsonObject[],
  era: Era,
): JsonObject => ({
  [LIST_MEMBER[method]]: items.map((item) => toListEntry(method, item, era)),
});

type Texts = Partial<Record<Era, string>>;

/** The results of list methods as JSON, serialised once for as long as the service returns the same arrays. */
export class ListTexts {
  readonly #stamp: ResultStamp;
  readonly #kept: Readonly<Record<ListMethod, WeakMap<readonly JsonObject[], Texts>>> = {
    'tools/list': new WeakMap(),
    'resources/list': new WeakMap(),
    'resources/templates/list': new WeakMap(),
    'prompts/list': new WeakMap(),
  };

  /** @param stamp the members of a list of 2026-07-28 other than its items */
  constructor(stamp: ResultStamp) {
    this.#stamp = stamp;
  }

  /** The result of a list method as JSON. */
  text(method: ListMethod, items: readonly JsonObject[], era: Era): string {
    const kept = this.#kept[method];
    let texts = kept.get(items);
    if (texts === undefined) {
      texts = {};
      kept.set(items, texts);
    }
    return (texts[era] ??= this.#write(method, items, era));
  }

  #write(method: ListMethod, items: readonly JsonObject[], era: Era): string {
    const result = createListResult(method, items, era);
    return formatResultText(result, era === 'modern' ? this.#stamp : undefined);
  }
}
