import { REFUSALS } from '@gateway/agent-manager-client';
import { readAgent } from '../read/read-agent.ts';
import type { AgentService, AgentServiceParts } from './agent-service.ts';
import { findAgent } from './find-agent.ts';
import { managedAgent } from './managed-agent.ts';

/** Shows one agent. @spec §4.4 */
export const getAgent =
  (parts: AgentServiceParts): AgentService['get_agent'] =>
  async (draft) => {
    const name = managedAgent(parts, draft);
    if (!name.ok) return name;
    const found = await findAgent(parts, name.value);
    if (!found.ok) return found;
    const { release, agent } = found.value;
    if (release !== undefined)
      return { ok: true, value: readAgent({ release: release.object, agent }) };
    return agent === undefined
      ? { ok: false, refusal: REFUSALS.noAgentToRead(name.value) }
      : { ok: true, value: readAgent({ agent }) };
  };
