import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';

/** The `_meta` key that requests from `filter_tools` which words of each tool match the query, and that carries them in the result. */
export const EXPLAIN_QUERY_KEY = 'gateway.internal/explain-query';

/** The kind of a match that shares some letters with a word of the query. */
const SIMILAR = 'similar';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const hasWord = (tool: unknown): boolean =>
  isJsonObject(tool) &&
  listOf(tool['matches']).some((match) => isJsonObject(match) && match['kind'] !== SIMILAR);

/**
 * Returns whether a query found tools of which none has one of its words, in any form or as a synonym. False for a gateway that does not
 * explain.
 *
 * @param meta `_meta` of a result of `filter_tools`
 */
export const areOnlySimilar = (meta: JsonObject): boolean => {
  const explanation = meta[EXPLAIN_QUERY_KEY];
  const tools = isJsonObject(explanation) ? listOf(explanation['tools']) : [];
  return tools.length > 0 && !tools.some(hasWord);
};
