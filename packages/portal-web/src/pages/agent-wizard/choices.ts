import type { SkillList } from '@gateway/agent-manager-client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createInfoQuery, useAgentAnswer, useAgentManager } from '../../queries/agents.ts';

const STALE_MS = 60_000;

/** The choices for the fields of the wizard. Lists that cannot be read are empty; texts can be typed. */
interface Choices {
  readonly namespaces: readonly string[];
  readonly models: readonly string[];
  /** Repositories of skills are configured. */
  readonly hasSkills: boolean;
  readonly isPending: boolean;
}

/** Reads the namespaces, and the models of a namespace; of the default one for an empty text. */
export const useChoices = (namespace: string): Choices => {
  const info = useQuery(createInfoQuery(useAgentManager()));
  const { data: models } = useAgentAnswer(
    ['models', namespace],
    (agentManager, options) =>
      agentManager.listModelConfigs(namespace === '' ? {} : { namespace }, options),
    { staleTime: STALE_MS },
  );
  return {
    namespaces: info.data?.namespaces.managed ?? [],
    models: [...new Set(models?.modelConfigs.map(({ name }) => name))],
    hasSkills: (info.data?.skillsRepositories.length ?? 0) > 0,
    isPending: info.isPending,
  };
};

/** Reads the skills of the configured repositories. */
export const useSkills = (): UseQueryResult<SkillList> =>
  useAgentAnswer(['skills'], (agentManager, options) => agentManager.listSkills({}, options), {
    staleTime: STALE_MS,
  });
