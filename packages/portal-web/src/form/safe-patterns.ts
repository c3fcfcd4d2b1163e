import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';
import { matchBudget, matchedTexts } from './linear-pattern.ts';
import { mapSchema } from './map-schema.ts';

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

/** The items of the longest list that are compared with each other; the gateway validates longer ones. */
const MAX_UNIQUE = 1_000;

const hasLongList = (value: unknown, depth = 0): boolean => {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value))
    return value.length > MAX_UNIQUE || value.some((item) => hasLongList(item, depth + 1));
  return isJsonObject(value) && Object.values(value).some((one) => hasLongList(one, depth + 1));
};

const withoutUniqueItems = ({ uniqueItems: _, ...schema }: JsonObject): JsonObject => schema;

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** A pattern that matches these texts alone. */
const patternOf = (texts: readonly string[]): string =>
  texts.length === 0 ? '(?!)' : `^(?:${texts.map(literal).join('|')})$`;

/**
 * Returns a schema without `patternProperties`, whose names the form library matches by itself, and permits the properties that they name.
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
 * Returns a schema that accepts this value as the given one does, but whose patterns take linear time: a pattern from outside can need
 * years for a short text. A pattern that cannot be decided in linear time accepts everything; the gateway validates the arguments too.
 */
export const withSafePatterns = (schema: JsonObject, value: unknown): JsonObject => {
  const texts = new Set<string>();
  addTexts(value, texts, 0);
  const budget = matchBudget();
  const isLong = hasLongList(value);
  return mapSchema(withoutPatternProperties(schema), ({ pattern, ...rest }) => {
    const others = isLong ? withoutUniqueItems(rest) : rest;
    if (typeof pattern !== 'string') return pattern === undefined ? others : { pattern, ...others };
    const matched = matchedTexts(pattern, [...texts], budget);
    return matched === undefined ? others : { ...others, pattern: patternOf(matched) };
  });
};
