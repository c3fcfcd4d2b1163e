import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import {
  catalogSections,
  serversOf,
  serversRequiringAuth,
  toolsOf,
  type CatalogSection,
  type CatalogServer,
} from '@gateway/toolset-composer';
import type { Backend } from '../backend/backend.ts';
import { useBackend } from '../backend/backend-context.ts';
import { callCoreTool, callMetaTool } from '../mcp/meta-tools.ts';

/** The key of everything that a change of servers or a sign-in changes. */
export const CATALOG_KEY = 'catalog';

/** Milliseconds between two reads of tools. After a start of the gateway its servers connect one after the other, and no event names them. */
export const CATALOG_POLL_MS = 10_000;

/** The key of the catalog in its groups. */
export const SECTIONS_KEY = [CATALOG_KEY, 'sections'] as const;

/** Reads the servers. A person who may not list servers still has their tools. */
export const readServers = async (
  { gateway }: Backend,
  signal: AbortSignal,
): Promise<readonly CatalogServer[]> => {
  try {
    return serversOf(
      await callCoreTool(gateway, 'core_mcpserver_list', { showAll: true }, { signal }),
    );
  } catch {
    return [];
  }
};

/** Reads the catalog of the person in its groups. @spec §2.3 */
export const useCatalog = (): UseQueryResult<readonly CatalogSection[]> => {
  const backend = useBackend();
  return useQuery({
    queryKey: SECTIONS_KEY,
    refetchInterval: CATALOG_POLL_MS,
    queryFn: async ({ signal }) => {
      const [answer, servers] = await Promise.all([
        callMetaTool(backend.gateway, 'list_tools', { summary: true }, { signal }),
        readServers(backend, signal),
      ]);
      const { labelDomain } = backend.session;
      return catalogSections({
        tools: toolsOf(answer),
        servers,
        requiringAuth: serversRequiringAuth(answer),
        ...(labelDomain !== undefined && { labelDomain }),
      });
    },
  });
};
