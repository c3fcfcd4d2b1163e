import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import {
  catalogSections,
  serversOf,
  toolsOf,
  type CatalogSection,
  type CatalogServer,
  type CatalogTool,
} from '@gateway/toolset-composer';
import { useBackend } from '../../backend/backend-context.ts';
import { callCoreTool, callMetaTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY } from '../../queries/use-catalog.ts';
import {
  isSignedOut,
  serverAnswerOf,
  serverFactsOf,
  writeRefusalOf,
  type ServerAnswer,
  type ServerFacts,
} from './server-facts.ts';

/** The gateway sends no event for a state, so servers are read repeatedly. */
const POLL_MS = 2_000;

interface ReadServers extends ServerAnswer {
  readonly catalog: readonly CatalogServer[];
}

/** Reads the servers, again and again. */
const useServerAnswer = (): UseQueryResult<ReadServers> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'server-answer'],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => {
      const args = { showAll: true, verbose: true };
      const answer = await callCoreTool(gateway, 'core_mcpserver_list', args, { signal });
      return { ...serverAnswerOf(answer), catalog: serversOf(answer) };
    },
  });
};

/** Reads the tools of the catalog again when a server has another state or another number of tools. Undefined until the first answer. */
const useCatalogTools = (
  servers: readonly ServerFacts[],
): Pick<UseQueryResult<readonly CatalogTool[]>, 'data' | 'isPending'> => {
  const { gateway } = useBackend();
  const states = servers.map(({ name, state, toolsCount, signIn }) =>
    [name, state, toolsCount, signIn?.status].join(' '),
  );
  return useQuery({
    queryKey: [CATALOG_KEY, 'tools-of-servers', states],
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      toolsOf(await callMetaTool(gateway, 'list_tools', { summary: true }, { signal })),
  });
};

/** A person who has signed in sees the server as connected. */
const asSeen = (server: CatalogServer, facts: ServerFacts | undefined): CatalogServer =>
  facts?.signIn?.status === 'connected' ? { ...server, state: 'Connected' } : server;

/** The servers in their groups, with the facts about each. */
export interface ServerOverview extends ServerAnswer {
  readonly sections: readonly CatalogSection[];
  readonly factsOf: (name: string) => ServerFacts | undefined;
}

/** Reads the servers in their groups, as they are now. @spec §2.3, §2.6 */
export const useServers = (): {
  readonly data: ServerOverview | undefined;
  readonly error: Error | null;
} => {
  const { session } = useBackend();
  const { data, error } = useServerAnswer();
  const { data: tools = [] } = useCatalogTools(data?.servers ?? []);
  if (data === undefined) return { data, error };
  const facts = new Map(data.servers.map((server) => [server.name, server]));
  const { labelDomain } = session;
  const sections = catalogSections({
    tools: tools.filter(({ kind }) => kind === 'tool'),
    servers: data.catalog.map((server) => asSeen(server, facts.get(server.name))),
    requiringAuth: new Set(data.servers.filter(isSignedOut).map(({ name }) => name)),
    ...(labelDomain !== undefined && { labelDomain }),
  });
  return { data: { ...data, sections, factsOf: (name) => facts.get(name) }, error };
};

/** One server, and why the reader may not change it. */
export interface OneServer extends Pick<ServerAnswer, 'writeRefusal'> {
  readonly server: ServerFacts;
}

/** Reads one server, again and again. */
export const useServer = (name: string): UseQueryResult<OneServer> => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'server', name],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => {
      const answer = await callCoreTool(gateway, 'core_mcpserver_get', { name }, { signal });
      return { server: serverFactsOf(answer), ...writeRefusalOf(answer) };
    },
  });
};

/** Reads the tools that a server, or its family, has in the catalog of the reader; undefined until the gateway has answered. */
export const useServerTools = (server: ServerFacts): readonly CatalogTool[] | undefined => {
  const family = server.spec['family'];
  const surface =
    typeof family === 'object' && family !== null && 'name' in family ? family.name : server.name;
  const { data, isPending } = useCatalogTools([server]);
  return isPending ? undefined : (data ?? []).filter((tool) => tool.server === surface);
};

/** Reads the API group of the gateway's resources. @spec §9.1 */
export const useApiGroup = (): string | undefined => {
  const { gateway } = useBackend();
  const { data } = useQuery({
    queryKey: ['api-group'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { apiGroup } = await callCoreTool(gateway, 'core_config_get', {}, { signal });
      return typeof apiGroup === 'string' ? apiGroup : '';
    },
  });
  return data === '' ? undefined : data;
};
