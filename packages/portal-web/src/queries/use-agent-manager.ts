import type { AgentManagerClient } from '@gateway/agent-manager-client';
import { useBackend } from '../backend/backend-context.ts';

/** Returns the client of agent-manager. Throws in a portal without one, which shows no page of agents. */
export const useAgentManager = (): AgentManagerClient => {
  const { agentManager } = useBackend();
  if (agentManager === undefined) throw new Error('This portal has no agent-manager.');
  return agentManager;
};
