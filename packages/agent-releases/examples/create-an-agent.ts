import {
  createAgentChart,
  createAgentService,
  type AgentService,
  type AgentStore,
} from '@gateway/agent-releases';

/** Manages the agents of two namespaces in a store. */
export const agentsIn = (store: AgentStore): AgentService =>
  createAgentService({
    store,
    chart: createAgentChart({
      ociUrl: 'oci://registry.gateway.internal/charts/agent',
      semver: 'x.x.x',
    }),
    namespaces: ['default', 'team-a'],
    version: '0.4.0',
    flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
  });

/** Creates an agent with read-only tools, and returns its manifest. */
export const createReader = async (store: AgentStore): Promise<string> => {
  const answer = await agentsIn(store).create_agent({
    name: 'reader',
    modelConfig: 'small',
    toolset: ['preset:read-only'],
  });
  return answer.ok ? answer.value.manifests.helmRelease : answer.error.message;
};
