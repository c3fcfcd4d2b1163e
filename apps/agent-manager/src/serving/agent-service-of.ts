import {
  createAgentService,
  agentChart,
  type AgentService,
  type AgentStore,
  type SkillSource,
} from '@gateway/agent-releases';
import type { ServeArguments } from '../cli/serve-arguments.ts';
import { AGENT_MANAGER_VERSION } from '../version.ts';

/** The rules of agents over a store, as the command line sets them. */
export function agentServiceOf(
  options: ServeArguments,
  store: AgentStore,
  skills: SkillSource | undefined,
): AgentService {
  const { serviceAccountName } = options;
  return createAgentService({
    store,
    chart: agentChart({ ociUrl: options.chartUrl, semver: options.chartSemver }),
    namespaces: options.namespaces,
    version: AGENT_MANAGER_VERSION,
    ...(skills !== undefined && { skills }),
    flux: {
      helmReleaseInterval: options.helmreleaseInterval,
      ociRepositoryInterval: options.ocirepositoryInterval,
      ...(serviceAccountName !== undefined && { serviceAccountName }),
    },
  });
}
