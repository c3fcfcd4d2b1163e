import type { AgentManagerClient } from '@gateway/agent-manager-client';
import { queryOptions } from '@tanstack/react-query';
import { answeredValue } from './answered-value.ts';

const STALE_MS = 60_000;

/** The query of what agent-manager manages. */
export const infoQuery = (agentManager: AgentManagerClient) =>
  queryOptions({
    queryKey: ['agent-manager'],
    staleTime: STALE_MS,
    queryFn: async ({ signal }) => answeredValue(await agentManager.getInfo({}, { signal })),
  });
