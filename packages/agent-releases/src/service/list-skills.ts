import { REFUSALS } from '@gateway/agent-manager-client';
import type { AgentService, AgentServiceParts } from './agent-service.ts';

/** Lists the skills of the configured repositories. */
export const listSkills =
  ({ skills }: AgentServiceParts): AgentService['list_skills'] =>
  (draft) =>
    skills === undefined
      ? Promise.resolve({ ok: false, refusal: REFUSALS.noSkillRepositories() })
      : skills.list(draft);
