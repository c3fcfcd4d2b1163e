import type { Agent } from '@gateway/agent-manager-client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useBackend } from '../backend/backend-context.ts';
import { answeredValue } from './answered-value.ts';

const POLL_MS = 10_000;

/** Reads the agents of the person; none in a portal without agent-manager. agent-manager sends no events, so they are read repeatedly. */
export const useAgents = (): UseQueryResult<readonly Agent[]> => {
  const { agentManager } = useBackend();
  return useQuery({
    queryKey: ['agents'],
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) =>
      agentManager === undefined
        ? []
        : answeredValue(await agentManager.listAgents({}, { signal })).agents,
  });
};
