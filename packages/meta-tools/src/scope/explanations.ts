import type { JsonObject } from '@gateway/call-contract';
import {
  type OmittedTool,
  type RuleReference,
  type ToolsetExplanation,
  explainToolset,
  formatExplanationNote,
} from '@gateway/preset-resolver';
import type { MetaToolContext } from './toolset-scope.ts';
import type { ToolsetScope } from '../contract/meta-tool.ts';
import { type CatalogTool, type MatchExplanation, explainMatches } from '@gateway/catalog';

/**
 * The `_meta` key that requests, with the value `true`, an explanation of the `toolset` argument of `filter_tools`, and that
 * carries the explanation in the answer. It has the same name at every gateway. Models, which read results, do not receive it.
 */
export const EXPLAIN_KEY = 'gateway.internal/explain-toolset';

/** The part of an explanation that an answer carries: its lists are cut as the answer's page is. */
interface Page {
  readonly limit: number;
  readonly offset: number;
}

const toRuleJson = ({ preset, list, index, rule }: RuleReference): JsonObject => ({
  preset,
  list,
  index,
  rule,
});

const toOmissionJson = ({ tool, selector, by }: OmittedTool): JsonObject => ({
  name: tool.name,
  selector,
  ...(by !== undefined && { by: toRuleJson(by) }),
});

const toExplanationJson = (
  explanation: ToolsetExplanation,
  { limit, offset }: Page,
): JsonObject => {
  const { tools, leftOut, unmatched, idleRules, notes } = explanation;
  const end = offset + limit;
  return {
    total: tools.length,
    tools: tools.slice(offset, end).map(({ tool, selectedBy }) => ({
      name: tool.name,
      selected_by: selectedBy.map(({ selector, rules }) => ({
        selector,
        rules: rules.map(toRuleJson),
      })),
      ...(tool.changed !== undefined && { changed: tool.changed }),
    })),
    left_out_total: leftOut.length,
    left_out: leftOut.slice(offset, end).map(toOmissionJson),
    unmatched,
    idle_rules: idleRules.map(toRuleJson),
    notes: notes.map(formatExplanationNote),
  };
};

/** Returns the `_meta` that explains the selection of the argument within the request's toolset. @spec §4.3 */
export const createExplanationMeta = (
  { toolset }: ToolsetScope,
  page: Page,
  { snapshot, presets, scope }: MetaToolContext,
): JsonObject => {
  const explained = explainToolset({
    toolset,
    presets,
    catalog: snapshot,
    ...(scope !== undefined && { within: scope.selection }),
  });
  // The argument has been resolved already: its presets are known.
  return explained.ok ? { [EXPLAIN_KEY]: toExplanationJson(explained.value, page) } : {};
};

/**
 * The `_meta` key that requests, with the value `true`, an explanation of the `query` argument of `filter_tools`, and that
 * carries the explanation in the answer. It has the same name at every gateway. Models, which read results, do not receive it.
 */
export const EXPLAIN_QUERY_KEY = 'gateway.internal/explain-query';

/** Returns whether a request asks for one of the explanations. */
export const hasExplanationRequest = (
  key: typeof EXPLAIN_KEY | typeof EXPLAIN_QUERY_KEY,
  { call }: MetaToolContext,
): boolean => call.meta?.[key] === true;

const matchJson = ({ tool, matches }: MatchExplanation): JsonObject => ({
  name: tool.name,
  matches: matches.map(({ query, tool: word, kind }) => ({ query, tool: word, kind })),
});

/** Returns the `_meta` that explains why a query finds the tools of a page. */
export const queryExplanationMeta = (
  query: string,
  tools: readonly CatalogTool[],
  { snapshot, ports }: MetaToolContext,
): JsonObject => ({
  [EXPLAIN_QUERY_KEY]: {
    tools: explainMatches(snapshot, query, tools, {
      ...(ports.search && { thesaurus: ports.search.thesaurus }),
    }).map(matchJson),
  },
});
