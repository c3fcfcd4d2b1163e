import { refused, type Answer, type OperationName } from '@gateway/agent-manager-client';
import type { AgentService, AgentServiceParts } from './agent-service.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent } from './delete-agent.ts';
import { getAgentStatus } from './get-agent-status.ts';
import { getAgent } from './get-agent.ts';
import { getInfo } from './get-info.ts';
import { listAgents } from './list-agents.ts';
import { listModelConfigs } from './list-model-configs.ts';
import { listSkills } from './list-skills.ts';
import { updateAgent } from './update-agent.ts';
import { validateAgent } from './validate-agent.ts';

const MAX_REASON_CHARS = 200;

const reason = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1).join('').slice(0, MAX_REASON_CHARS);
};

/** Returns an unexpected error as a backend error. */
const neverRejecting =
  ({ onError }: AgentServiceParts) =>
  <Draft, Value>(operation: (draft: Draft) => Promise<Answer<Value>>) =>
  async (draft: Draft): Promise<Answer<Value>> => {
    try {
      return await operation(draft);
    } catch (error) {
      onError?.(error);
      return refused('backend_error', `agent-manager failed: ${reason(error)}`);
    }
  };

/** Returns every operation of agent-manager with these dependencies. @spec §4.4 */
export const createAgentService = (parts: AgentServiceParts): AgentService => {
  const safe = neverRejecting(parts);
  return {
    get_info: safe(getInfo(parts)),
    list_agents: safe(listAgents(parts)),
    get_agent: safe(getAgent(parts)),
    get_agent_status: safe(getAgentStatus(parts)),
    validate_agent: safe(validateAgent(parts)),
    list_model_configs: safe(listModelConfigs(parts)),
    list_skills: safe(listSkills(parts)),
    create_agent: safe(createAgent(parts)),
    update_agent: safe(updateAgent(parts)),
    delete_agent: safe(deleteAgent(parts)),
  } satisfies { [Name in OperationName]: AgentService[Name] };
};
