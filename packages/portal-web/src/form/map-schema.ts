import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';

/** Deeper parts of a schema are left out. */
const MAX_DEPTH = 64;

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** Keywords whose values are schemas by name: a name may be that of a keyword. */
const MAPS: ReadonlySet<string> = new Set([
  ...['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);

type Change = (schema: JsonObject) => JsonObject;

const valuesOf = (named: JsonObject, change: Change, depth: number): JsonObject =>
  Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, mapped(value, change, depth)]),
  );

const mapped = (value: unknown, change: Change, depth: number): unknown => {
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(change(value)).map(([keyword, inner]) => {
    if (DATA.has(keyword)) return [keyword, inner];
    return MAPS.has(keyword) && isJsonObject(inner)
      ? [keyword, valuesOf(inner, change, depth + 1)]
      : [keyword, mapped(inner, change, depth + 1)];
  });
  return Object.fromEntries(entries) as JsonObject;
};

/** Returns a schema in which a function has changed the keywords of every schema. */
export const mapSchema = (schema: JsonObject, change: Change): JsonObject =>
  mapped(schema, change, 0) as JsonObject;
