import { createAgentChart, type AgentServiceParts } from '../../src/index.ts';

const CHART = createAgentChart({
  ociUrl: 'oci://registry.gateway.internal/charts/agent',
  semver: 'x.x.x',
});

/** Returns the parts of a service under test, with this store. */
export const serviceParts = (
  parts: Pick<AgentServiceParts, 'store'> & Partial<AgentServiceParts>,
): AgentServiceParts => ({
  chart: CHART,
  namespaces: ['default'],
  version: '0.4.0',
  flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
  ...parts,
});
