import type { SkillList } from '@gateway/agent-manager-client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { infoQuery, unwrapAnswer, useAgentManager } from '../../queries/agents.ts';

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
  const agentManager = useAgentManager();
  const info = useQuery(infoQuery(agentManager));
  const models = useQuery({
    queryKey: ['models', namespace],
    staleTime: STALE_MS,
    queryFn: async ({ signal }) => {
      const input = namespace === '' ? {} : { namespace };
      const answer = unwrapAnswer(await agentManager.listModelConfigs(input, { signal }));
      return answer.modelConfigs.map(({ name }) => name);
    },
  });
  return {
    namespaces: info.data?.namespaces.managed ?? [],
    models: [...new Set(models.data)],
    hasSkills: (info.data?.skillsRepositories.length ?? 0) > 0,
    isPending: info.isPending,
  };
};

/** Reads the skills of the configured repositories. */
export const useSkills = (): UseQueryResult<SkillList['skills']> => {
  const agentManager = useAgentManager();
  return useQuery({
    queryKey: ['skills'],
    staleTime: STALE_MS,
    queryFn: async ({ signal }) =>
      unwrapAnswer(await agentManager.listSkills({}, { signal })).skills,
  });
};
