import type { ServeArguments } from '@gateway/agent-manager-cli';
import {
  createAgentService,
  agentChart,
  type AgentService,
  type AgentServiceParts,
} from '@gateway/agent-releases';
import { AGENT_MANAGER_VERSION } from '../version.ts';

/** Dependencies that are opened before the service is created. */
export type OpenedDependencies = Pick<AgentServiceParts, 'store' | 'skills' | 'onError'>;

/** Creates the agent service from the options of the command line. */
export function createServiceFromOptions(
  options: ServeArguments,
  opened: OpenedDependencies,
): AgentService {
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
