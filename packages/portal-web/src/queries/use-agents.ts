import type { Agent, AgentManagerClient } from '@gateway/agent-manager-client';
import {
  queryOptions,
  useQuery,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useBackend } from '../backend/backend-context.ts';
import { answeredValue } from './answered-value.ts';
import { infoQuery } from './info-query.ts';

const POLL_MS = 10_000;

/** A namespace whose agents the person cannot read, and why. */
export interface UnreadableNamespace {
  readonly namespace: string;
  readonly reason: string;
}

interface Agents {
  readonly agents: readonly Agent[];
  readonly unreadable: readonly UnreadableNamespace[];
}

const NO_AGENTS: Agents = { agents: [], unreadable: [] };

/** Lists the agents of each namespace. Rejects when none of them can be read. */
const listAll = async (
  agentManager: AgentManagerClient,
  client: QueryClient,
  signal: AbortSignal,
): Promise<Agents> => {
  const { namespaces } = await client.query(infoQuery(agentManager));
  const listed = await Promise.allSettled(
    namespaces.managed.map(async (namespace) =>
      answeredValue(await agentManager.listAgents({ namespace }, { signal })),
    ),
  );
  const agents = listed.flatMap((list) => (list.status === 'fulfilled' ? list.value.agents : []));
  const unreadable = listed.flatMap((list, at) =>
    list.status === 'fulfilled'
      ? []
      : { namespace: namespaces.managed[at] ?? '', reason: (list.reason as Error).message },
  );
  const [first] = unreadable;
  if (first !== undefined && unreadable.length === listed.length) throw new Error(first.reason);
  return { agents, unreadable };
};

/** agent-manager sends no events, so agents are read repeatedly. A portal without agent-manager has none. */
const agentsQuery = (agentManager: AgentManagerClient | undefined) =>
  queryOptions({
    queryKey: ['agents'],
    refetchInterval: POLL_MS,
    queryFn: ({ client, signal }) =>
      agentManager === undefined ? NO_AGENTS : listAll(agentManager, client, signal),
  });

/** Reads the agents of all namespaces that the person can read. */
export const useAgents = (): UseQueryResult<readonly Agent[]> =>
  useQuery({ ...agentsQuery(useBackend().agentManager), select: ({ agents }) => agents });

/** Returns the namespaces whose agents are missing in {@link useAgents}. */
export const useUnreadableNamespaces = (): readonly UnreadableNamespace[] =>
  useQuery({ ...agentsQuery(useBackend().agentManager), select: ({ unreadable }) => unreadable })
    .data ?? [];
