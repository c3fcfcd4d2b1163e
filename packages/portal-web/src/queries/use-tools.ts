import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { serversRequiringAuth, toolsOf, type CatalogTool } from '@gateway/toolset-composer';
import { useBackend } from '../backend/backend-context.ts';
import type { McpClient, McpRequestOptions } from '../mcp/mcp-client.ts';
import { callForAnswer, callMetaTool, type MetaToolAnswer } from '../mcp/meta-tools.ts';
import { CATALOG_KEY, CATALOG_POLL_MS } from './use-catalog.ts';
import { areOnlySimilar, EXPLAIN_QUERY_KEY } from './word-matches.ts';

/** The parts of a search that the gateway answers. */
export interface ToolSearch {
  readonly query?: string;
  readonly toolset?: readonly string[];
}

/** The tools that a search finds, best first. */
export interface FoundTools {
  readonly tools: readonly CatalogTool[];
  /** The number of all tools, also of those that are not in the answer. */
  readonly total: number;
  /** The servers whose tools are listed after a sign-in, sorted. */
  readonly requiringAuth: readonly string[];
  /** No tool has a word of the query: the tools are those with the most similar words. */
  readonly areOnlySimilar: boolean;
}

/** Returns the number of tools as people read it. */
export const toolCountText = (count: number): string => (count === 1 ? '1 tool' : `${count} tools`);

const LIMIT = 2_000;
/** The best hits say whether any tool has a word of the query. */
const EXPLAINED = 20;

const listTools = async (client: McpClient, options: McpRequestOptions): Promise<MetaToolAnswer> =>
  callForAnswer(client, 'list_tools', { summary: true }, options);

const findTools = async (
  client: McpClient,
  query: string,
  options: McpRequestOptions,
): Promise<MetaToolAnswer> => {
  const meta = { [EXPLAIN_QUERY_KEY]: true };
  const [answer, explained] = await Promise.all([
    callMetaTool(client, 'filter_tools', { query, limit: LIMIT }, options),
    callForAnswer(client, 'filter_tools', { query, limit: EXPLAINED }, { ...options, meta }),
  ]);
  return { answer, meta: explained.meta };
};

const foundOf = ({ answer, meta }: MetaToolAnswer): FoundTools => {
  const tools = toolsOf(answer);
  const { total } = answer;
  return {
    tools,
    total: typeof total === 'number' ? total : tools.length,
    requiringAuth: [...serversRequiringAuth(answer)].toSorted(),
    areOnlySimilar: areOnlySimilar(meta),
  };
};

/** Finds tools with the ranking of the gateway; all of them, by name, without a query. @spec §1.1 */
export const useTools = ({ query, toolset }: ToolSearch): UseQueryResult<FoundTools> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'tools', query, toolset],
    placeholderData: keepPreviousData,
    refetchInterval: CATALOG_POLL_MS,
    queryFn: async ({ signal }): Promise<FoundTools> => {
      const options = { signal, ...(toolset !== undefined && { toolset }) };
      return foundOf(
        query === undefined
          ? await listTools(gateway, options)
          : await findTools(gateway, query, options),
      );
    },
  });
};
