import type { Agent, AgentStatus, ValidateResult } from '@gateway/agent-manager-client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';

/** The name of an agent, which is unique in its namespace. */
export interface AgentName {
  readonly namespace: string;
  readonly name: string;
}

const POLL_MS = 10_000;
/** An agent that is being installed changes within seconds. */
const POLL_UNTIL_READY_MS = 3_000;

/** Reads an agent, again and again. */
export const useAgent = ({ namespace, name }: AgentName): UseQueryResult<Agent> => {
  const agentManager = useAgentManager();
  return useQuery({
    queryKey: ['agents', namespace, name],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) =>
      answeredValue(await agentManager.getAgent({ namespace, name }, { signal })),
  });
};

/** Reads the status of an agent, more often until it is ready. */
export const useAgentStatus = ({ namespace, name }: AgentName): UseQueryResult<AgentStatus> => {
  const agentManager = useAgentManager();
  return useQuery<AgentStatus>({
    queryKey: ['agents', namespace, name, 'status'],
    refetchInterval: ({ state }) =>
      state.data?.verdict === 'progressing' ? POLL_UNTIL_READY_MS : POLL_MS,
    queryFn: async ({ signal }) =>
      answeredValue(await agentManager.getAgentStatus({ namespace, name }, { signal })),
  });
};

/** Composes the release of an agent as it is, without a change. */
export const useAgentRelease = ({ namespace, name }: AgentName): UseQueryResult<ValidateResult> => {
  const agentManager = useAgentManager();
  return useQuery({
    queryKey: ['agents', namespace, name, 'release'],
    queryFn: async ({ signal }) =>
      answeredValue(
        await agentManager.validateAgent(
          { namespace, name, update: true, force: true },
          { signal },
        ),
      ),
  });
};
