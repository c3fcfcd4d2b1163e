import { setTimeout } from 'node:timers/promises';
import type { ServiceArguments } from '@gateway/agent-manager-service';
import {
  createAgentService,
  createAgentChart,
  type AgentChart,
  type AgentService,
  type AgentServiceParts,
} from '@gateway/agent-releases';
import { AGENT_MANAGER_VERSION } from '../version.ts';

/** Dependencies that are opened before the service is created. */
export type OpenedDependencies = Pick<
  AgentServiceParts,
  'store' | 'skills' | 'onError' | 'identity'
>;

/** Returns the agent chart of the options; services can share it. */
export const resolveAgentChart = ({ chartUrl, chartSemver }: ServiceArguments): AgentChart =>
  createAgentChart({ ociUrl: chartUrl, semver: chartSemver });

/** Creates the agent service from the options of the command line. */
export function createServiceFromOptions(
  options: ServiceArguments,
  opened: OpenedDependencies,
  chart: AgentChart = resolveAgentChart(options),
): AgentService {
  const { serviceAccountName } = options;
  return createAgentService({
    ...opened,
    chart,
    namespaces: options.namespaces,
    version: AGENT_MANAGER_VERSION,
    wait: (milliseconds) => setTimeout(milliseconds),
    flux: {
      helmReleaseInterval: options.helmreleaseInterval,
      ociRepositoryInterval: options.ocirepositoryInterval,
      ...(serviceAccountName !== undefined && { serviceAccountName }),
    },
  });
}
