import type { JsonObject } from '@gateway/call-contract';
import { explainMatches, type CatalogTool, type MatchExplanation } from '@gateway/catalog';
import type { RequestContext } from './request-context.ts';

/**
 * The `_meta` key that requests, with the value `true`, an explanation of the `query` argument of `filter_tools`, and that
 * carries the explanation in the answer. It has the same name at every gateway. Models, which read results, do not receive it.
 */
export const EXPLAIN_QUERY_KEY = 'gateway.internal/explain-query';

/** Returns whether the request asks for the explanation. */
export const asksToExplainQuery = ({ call }: RequestContext): boolean =>
  call.meta?.[EXPLAIN_QUERY_KEY] === true;

const explanationJson = ({ tool, matches }: MatchExplanation): JsonObject => ({
  name: tool.name,
  matches: matches.map(({ query, tool: word, kind }) => ({ query, tool: word, kind })),
});

/** Returns the `_meta` that explains why a query finds the tools of a page. */
export const queryExplanationMeta = (
  query: string,
  tools: readonly CatalogTool[],
  { snapshot, ports }: RequestContext,
): JsonObject => ({
  [EXPLAIN_QUERY_KEY]: {
    tools: explainMatches(snapshot, query, tools, {
      ...(ports.search && { thesaurus: ports.search.thesaurus }),
    }).map(explanationJson),
  },
});
