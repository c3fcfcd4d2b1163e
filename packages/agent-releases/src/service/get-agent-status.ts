import { REFUSALS } from '@gateway/agent-manager-client';
import { agentStatus } from '../status/agent-status.ts';
import type { AgentService, AgentServiceParts } from './agent-service.ts';
import { findAgent } from './find-agent.ts';
import { managedAgent } from './managed-agent.ts';

/** Returns the status of an agent. @spec §4.4 */
export const getAgentStatus =
  (parts: AgentServiceParts): AgentService['get_agent_status'] =>
  async (draft) => {
    const name = managedAgent(parts, draft);
    if (!name.ok) return name;
    const found = await findAgent(parts, name.value);
    if (!found.ok) return found;
    const { release, agent } = found.value;
    if (release === undefined && agent === undefined)
      return { ok: false, refusal: REFUSALS.noAgentToRead(name.value) };
    const workload = await parts.store.workload(name.value);
    if (!workload.ok) return workload;
    return {
      ok: true,
      value: agentStatus(name.value, {
        release: release?.object,
        agent,
        workload: workload.value,
      }),
    };
  };
