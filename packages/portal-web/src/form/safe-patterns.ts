import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { RE2JS } from 're2js';

const MAX_PATTERN = 1_000;
/** The length of a pattern times its largest count: an upper bound for the time to compile it. */
const MAX_EXPANDED_LENGTH = 100_000;
/** The step budget of one validation, about one second. A match takes the instructions of its pattern times the characters of its text. */
const MAX_STEPS = 20_000_000;

const COUNTS = /\{(\d+)(?:,(\d*))?\}/g;

const computeExpandedLength = (pattern: string): number => {
  const counts = [...pattern.matchAll(COUNTS)].flatMap(([, low, high]) => [
    Number(low),
    Number(high ?? 0),
  ]);
  return pattern.length * Math.max(1, ...counts);
};

/** The steps of a match that take as long as compiling one character of a pattern. */
const COMPILE_STEPS = 200;

/** Compiles a pattern for linear-time matching; undefined for an unsupported pattern, such as look-ahead. */
const compileLinear = (pattern: string): RE2JS | undefined => {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
};

/** The compiled patterns of the forms that are open. */
const known = new Map<string, RE2JS | undefined>();
const MAX_KNOWN = 200;

const compileWithinBudget = (pattern: string, budget: MatchBudget): RE2JS | undefined => {
  if (known.has(pattern)) return known.get(pattern);
  const length = computeExpandedLength(pattern);
  if (pattern.length > MAX_PATTERN || length > MAX_EXPANDED_LENGTH) return undefined;
  budget.steps -= length * COMPILE_STEPS;
  if (budget.steps < 0) return undefined;
  if (known.size >= MAX_KNOWN) known.clear();
  const made = compileLinear(pattern);
  known.set(pattern, made);
  return made;
};

/** The remaining steps of one validation. */
interface MatchBudget {
  steps: number;
}

/** Returns the budget of one validation. */
const createMatchBudget = (): MatchBudget => ({ steps: MAX_STEPS });

const isAffordable = (pattern: RE2JS, text: string, budget: MatchBudget): boolean => {
  budget.steps -= pattern.programSize() * (text.length + 1);
  return budget.steps >= 0;
};

/**
 * Returns the texts that an untrusted pattern matches, in linear time; undefined for an unsupported pattern or a spent budget.
 */
const findMatches = (
  source: string,
  texts: readonly string[],
  budget: MatchBudget,
): readonly string[] | undefined => {
  const pattern = compileWithinBudget(source, budget);
  if (pattern === undefined) return undefined;
  const found: string[] = [];
  for (const text of texts) {
    if (!isAffordable(pattern, text, budget)) return undefined;
    if (pattern.matcher(text).find()) found.push(text);
  }
  return found;
};

/** The maximum depth of a schema. Deeper subschemas accept everything. */
const MAX_SCHEMA_DEPTH = 64;

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** Keywords whose values map names to schemas. A name may equal a keyword. */
const MAPS: ReadonlySet<string> = new Set([
  ...['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);

type Change = (schema: JsonObject) => JsonObject;

const mapValues = (named: JsonObject, change: Change, depth: number): JsonObject =>
  Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, mapValue(value, change, depth)]),
  );

const mapValue = (value: unknown, change: Change, depth: number): unknown => {
  if (depth > MAX_SCHEMA_DEPTH) return true;
  if (Array.isArray(value)) return value.map((item) => mapValue(item, change, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(change(value)).map(([keyword, inner]) => {
    if (DATA.has(keyword)) return [keyword, inner];
    return MAPS.has(keyword) && isJsonObject(inner)
      ? [keyword, mapValues(inner, change, depth + 1)]
      : [keyword, mapValue(inner, change, depth + 1)];
  });
  return Object.fromEntries(entries) as JsonObject;
};

/** Applies a change to a schema and to all its subschemas. */
const mapSchema = (schema: JsonObject, change: Change): JsonObject =>
  mapValue(schema, change, 0) as JsonObject;

const MAX_DEPTH = 64;

const addTexts = (value: unknown, texts: Set<string>, depth: number): void => {
  if (typeof value === 'string') texts.add(value);
  else if (depth > MAX_DEPTH) return;
  else if (Array.isArray(value)) for (const item of value) addTexts(item, texts, depth + 1);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) {
      texts.add(name);
      addTexts(member, texts, depth + 1);
    }
};

/** The length of the longest list whose items are compared for uniqueness; the gateway validates longer lists. */
const MAX_UNIQUE = 1_000;

const hasLongList = (value: unknown, depth = 0): boolean => {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value))
    return value.length > MAX_UNIQUE || value.some((item) => hasLongList(item, depth + 1));
  return isJsonObject(value) && Object.values(value).some((one) => hasLongList(one, depth + 1));
};

const withoutUniqueItems = ({ uniqueItems: _, ...schema }: JsonObject): JsonObject => schema;

const escapeLiteral = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Returns a pattern that matches only these texts. */
const toPattern = (texts: readonly string[]): string =>
  texts.length === 0 ? '(?!)' : `^(?:${texts.map(escapeLiteral).join('|')})$`;

/**
 * Returns a schema without `patternProperties`, whose patterns the form library would match itself. Additional properties are allowed.
 */
export const withoutPatternProperties = (schema: JsonObject): JsonObject =>
  mapSchema(schema, (one) => {
    if (!isJsonObject(one['patternProperties'])) return one;
    const {
      patternProperties: _patterns,
      additionalProperties: _additional,
      unevaluatedProperties: _unevaluated,
      ...others
    } = one;
    return others;
  });

/**
 * Returns a schema that is equivalent for this value but matches patterns in linear time: an untrusted pattern can take
 * exponential time. Unsupported patterns are omitted, because the gateway validates the arguments too.
 */
export const withSafePatterns = (schema: JsonObject, value: unknown): JsonObject => {
  const texts = new Set<string>();
  addTexts(value, texts, 0);
  const budget = createMatchBudget();
  const isLong = hasLongList(value);
  return mapSchema(withoutPatternProperties(schema), ({ pattern, ...rest }) => {
    const others = isLong ? withoutUniqueItems(rest) : rest;
    if (typeof pattern !== 'string') return pattern === undefined ? others : { pattern, ...others };
    const matched = findMatches(pattern, [...texts], budget);
    return matched === undefined ? others : { ...others, pattern: toPattern(matched) };
  });
};
