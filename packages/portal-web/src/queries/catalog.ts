import { type JsonObject, toText } from '@gateway/call-contract';
import {
  type CatalogSection,
  createCatalogSections,
  type CatalogServer,
  type ListedTool,
  parseServers,
  parseServersRequiringAuth,
  readTools,
} from '@gateway/toolset-composer';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type Backend, useBackend } from '../backend/backend.ts';
import { callCoreTool, callMetaTool } from '../mcp/meta-tools.ts';

/** The key of everything that a change of servers or a sign-in changes. */
export const CATALOG_KEY = 'catalog';

/** The arguments of `list_tools` for all tools in one answer. */
export const ALL_TOOLS = { summary: true, limit: 100_000 };

/** Milliseconds between two reads of tools. After a start of the gateway its servers connect one after the other, and no event names them. */
const CATALOG_POLL_MS = 10_000;

/** The key of the catalog in its groups. */
export const SECTIONS_KEY = [CATALOG_KEY, 'sections'] as const;

/** Reads the servers. A user who may not list servers still has their tools. */
export const readServers = async (
  { gateway }: Backend,
  signal: AbortSignal,
): Promise<readonly CatalogServer[]> => {
  try {
    return parseServers(
      await callCoreTool(gateway, 'core_mcpserver_list', { showAll: true }, { signal }),
    );
  } catch {
    return [];
  }
};

/** Reads the catalog of the user in its groups. @spec §2.3 */
export const useCatalog = (): UseQueryResult<readonly CatalogSection[]> => {
  const backend = useBackend();
  return useQuery({
    queryKey: SECTIONS_KEY,
    refetchInterval: CATALOG_POLL_MS,
    queryFn: async ({ signal }) => {
      const [answer, servers] = await Promise.all([
        callMetaTool(backend.gateway, 'list_tools', ALL_TOOLS, { signal }),
        readServers(backend, signal),
      ]);
      const { labelDomain } = backend.session;
      return createCatalogSections({
        tools: readTools(answer),
        servers,
        requiringAuth: parseServersRequiringAuth(answer),
        ...(labelDomain !== undefined && { labelDomain }),
      });
    },
  });
};

const NONE: readonly CatalogServer[] = [];

/** Reads the servers with their labels and families; none for a user who may not list them. @spec §2.6 */
export const useServerList = (): readonly CatalogServer[] => {
  const backend = useBackend();
  const { data = NONE } = useQuery({
    queryKey: [CATALOG_KEY, 'servers'],
    queryFn: ({ signal }) => readServers(backend, signal),
  });
  return data;
};

/** The parts of a search that the gateway answers. */
interface ToolQuery {
  readonly query?: string;
  readonly toolset?: readonly string[];
}

/** The tools that a search finds, best first. */
export interface FoundTools {
  readonly tools: readonly ListedTool[];
  /** The number of all tools, also of those that are not in the answer. */
  readonly total: number;
  /** The servers whose tools are listed after a sign-in, sorted. */
  readonly requiringAuth: readonly string[];
  /** The word of a tool that is spelled most like a query that matches nothing; otherwise empty. */
  readonly closest: string;
}

const LIMIT = 2_000;

const parseTools = (answer: JsonObject): FoundTools => {
  const tools = readTools(answer);
  const { total } = answer;
  return {
    tools,
    total: typeof total === 'number' ? total : tools.length,
    requiringAuth: [...parseServersRequiringAuth(answer)].toSorted(),
    closest: toText(answer['closest']),
  };
};

/** Finds tools with the ranking of the gateway; all of them, by name, without a query. @spec §1.1 */
export const useTools = ({ query, toolset }: ToolQuery): UseQueryResult<FoundTools> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'tools', query, toolset],
    placeholderData: keepPreviousData,
    refetchInterval: CATALOG_POLL_MS,
    queryFn: async ({ signal }): Promise<FoundTools> => {
      const options = { signal, ...(toolset !== undefined && { toolset }) };
      return parseTools(
        query === undefined
          ? await callMetaTool(gateway, 'list_tools', ALL_TOOLS, options)
          : await callMetaTool(gateway, 'filter_tools', { query, limit: LIMIT }, options),
      );
    },
  });
};
