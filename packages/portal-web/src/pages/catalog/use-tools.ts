import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { toolsOf, type CatalogTool } from '@gateway/toolset-composer';
import { useBackend } from '../../backend/backend-context.ts';
import { callMetaTool } from '../../mcp/meta-tools.ts';

/** A search of the catalog. */
export interface CatalogSearch {
  readonly query?: string;
  readonly toolset?: readonly string[];
}

/** The tools that a search finds, best first. */
export interface FoundTools {
  readonly tools: readonly CatalogTool[];
  readonly total: number;
}

const LIMIT = 200;

/** Finds tools with the ranking of the gateway; all of them, by name, without a query. */
export const useTools = ({ query, toolset }: CatalogSearch): UseQueryResult<FoundTools> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: ['tools', query, toolset],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const options = { signal, ...(toolset !== undefined && { toolset }) };
      const answer =
        query === undefined
          ? await callMetaTool(gateway, 'list_tools', { summary: true }, options)
          : await callMetaTool(gateway, 'filter_tools', { query, limit: LIMIT }, options);
      const tools = toolsOf(answer);
      const { total } = answer;
      return { tools, total: typeof total === 'number' ? total : tools.length };
    },
  });
};
