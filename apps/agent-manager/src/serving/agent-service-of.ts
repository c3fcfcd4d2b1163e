import {
  createAgentService,
  agentChart,
  type AgentService,
  type AgentServiceParts,
} from '@gateway/agent-releases';
import type { ServeArguments } from '../cli/serve-arguments.ts';
import { AGENT_MANAGER_VERSION } from '../version.ts';

/** What the command line does not say. */
export type OpenedParts = Pick<AgentServiceParts, 'store' | 'skills' | 'onError'>;

/** The rules of agents over a store, as the command line sets them. */
export function agentServiceOf(options: ServeArguments, opened: OpenedParts): AgentService {
  const { serviceAccountName } = options;
  return createAgentService({
    ...opened,
    chart: agentChart({ ociUrl: options.chartUrl, semver: options.chartSemver }),
    namespaces: options.namespaces,
    version: AGENT_MANAGER_VERSION,
    flux: {
      helmReleaseInterval: options.helmreleaseInterval,
      ociRepositoryInterval: options.ocirepositoryInterval,
      ...(serviceAccountName !== undefined && { serviceAccountName }),
    },
  });
}
