import {
  type Agent,
  type AgentManagerClient,
  type AgentStatus,
  type ClientResult,
  isRefusal,
  type AgentRefusal,
  type ValidateResult,
} from '@gateway/agent-manager-client';
import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useBackend } from '../backend/backend.ts';
import type { ReadOptions } from './core-tools.ts';

/** A refusal of agent-manager. Its message is the sentence of the service. */
export class RefusalError extends Error {
  readonly code: AgentRefusal['code'];

  constructor({ code, message }: AgentRefusal) {
    super(message);
    this.name = 'RefusalError';
    this.code = code;
  }
}

/** Returns the value of an answer of agent-manager. Throws a {@link RefusalError} for a refusal, and another error for a failure. */
export const unwrapAnswer = <T>(answer: ClientResult<T>): T => {
  if (answer.ok) return answer.value;
  throw isRefusal(answer.error) ? new RefusalError(answer.error) : new Error(answer.error.message);
};

/** Returns the client of agent-manager. Throws in a portal without one, which shows no page of agents. */
export const useAgentManager = (): AgentManagerClient => {
  const { agentManager } = useBackend();
  if (agentManager === undefined) throw new Error('This portal has no agent-manager.');
  return agentManager;
};

const STALE_MS = 60_000;

/** The query of what agent-manager manages. */
export const createInfoQuery = (agentManager: AgentManagerClient) =>
  queryOptions({
    queryKey: ['agent-manager'],
    staleTime: STALE_MS,
    queryFn: async ({ signal }) => unwrapAnswer(await agentManager.getInfo({}, { signal })),
  });

const POLL_MS = 10_000;

/** A namespace whose agents the user cannot read, and why. */
interface UnreadableNamespace {
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
  const { namespaces } = await client.query(createInfoQuery(agentManager));
  const listed = await Promise.allSettled(
    namespaces.managed.map(async (namespace) =>
      unwrapAnswer(await agentManager.listAgents({ namespace }, { signal })),
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
const createAgentsQuery = (agentManager: AgentManagerClient | undefined) =>
  queryOptions({
    queryKey: ['agents'],
    refetchInterval: POLL_MS,
    queryFn: ({ client, signal }) =>
      agentManager === undefined ? NO_AGENTS : listAll(agentManager, client, signal),
  });

/** Reads the agents of all namespaces that the user can read. */
export const useAgents = (): UseQueryResult<readonly Agent[]> =>
  useQuery({ ...createAgentsQuery(useBackend().agentManager), select: ({ agents }) => agents });

/** Returns the namespaces whose agents are missing in {@link useAgents}. */
export const useUnreadableNamespaces = (): readonly UnreadableNamespace[] =>
  useQuery({
    ...createAgentsQuery(useBackend().agentManager),
    select: ({ unreadable }) => unreadable,
  }).data ?? [];

/** The name of an agent, which is unique in its namespace. */
export interface AgentName {
  readonly namespace: string;
  readonly name: string;
}

/** An agent that is being installed changes within seconds. */
const POLL_UNTIL_READY_MS = 3_000;

/** Reads an answer of agent-manager. */
export const useAgentAnswer = <T>(
  queryKey: QueryKey,
  ask: (
    agentManager: AgentManagerClient,
    options: { readonly signal: AbortSignal },
  ) => Promise<ClientResult<T>>,
  options: ReadOptions<T> = {},
): UseQueryResult<T> => {
  const agentManager = useAgentManager();
  return useQuery<T>({
    ...options,
    queryKey,
    queryFn: async ({ signal }) => unwrapAnswer(await ask(agentManager, { signal })),
  });
};

/** Reads an agent, again and again. */
export const useAgent = ({ namespace, name }: AgentName): UseQueryResult<Agent> =>
  useAgentAnswer(
    ['agents', namespace, name],
    (agentManager, options) => agentManager.getAgent({ namespace, name }, options),
    { refetchInterval: POLL_MS },
  );

/** Reads the status of an agent, more often until it is ready. */
export const useAgentStatus = ({ namespace, name }: AgentName): UseQueryResult<AgentStatus> =>
  useAgentAnswer<AgentStatus>(
    ['agents', namespace, name, 'status'],
    (agentManager, options) => agentManager.getAgentStatus({ namespace, name }, options),
    {
      refetchInterval: ({ state }) =>
        state.data?.verdict === 'progressing' ? POLL_UNTIL_READY_MS : POLL_MS,
    },
  );

/** Composes the release of an agent as it is, without a change. */
export const useAgentRelease = ({ namespace, name }: AgentName): UseQueryResult<ValidateResult> =>
  useAgentAnswer(['agents', namespace, name, 'release'], (agentManager, options) =>
    agentManager.validateAgent({ namespace, name, update: true, force: true }, options),
  );
