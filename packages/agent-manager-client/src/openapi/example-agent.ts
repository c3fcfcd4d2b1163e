import type { Agent } from '../schemas/agent.ts';
import type { Manifests } from '../schemas/results.ts';

/** Which agent. */
export const SRE = { namespace: 'default', name: 'sre' } as const;

/** Its arguments at creation, without its name. */
export const WRITTEN = {
  modelConfig: 'default-model-config',
  displayName: 'SRE',
  description: 'Looks into incidents',
  systemMessage: 'Be brief.',
  toolset: ['preset:read-only', 'workflow:incident-triage'],
};

const VALUES = {
  agent: {
    name: 'sre',
    displayName: 'SRE',
    description: 'Looks into incidents',
    systemMessage: 'Be brief.',
  },
  modelConfig: { name: 'default-model-config' },
  toolset: ['preset:read-only', 'workflow:incident-triage'],
};

/** Its manifests. */
export const MANIFESTS: Manifests = {
  ociRepository: `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata:
  name: agent
  namespace: default
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  interval: 30m
  url: oci://registry.gateway.internal/charts/agent
  ref:
    semver: x.x.x
`,
  helmRelease: `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: sre
  namespace: default
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  interval: 10m
  chartRef:
    kind: OCIRepository
    name: agent
    namespace: default
  values:
    agent:
      name: sre
      displayName: SRE
      description: Looks into incidents
      systemMessage: Be brief.
    modelConfig:
      name: default-model-config
    toolset:
      - preset:read-only
      - workflow:incident-triage
`,
  values: VALUES,
};

const RELEASE = {
  ...SRE,
  chartVersion: '0.6.0',
  suspended: false,
  gitOpsOwned: false,
  deleting: false,
  chartRef: { kind: 'OCIRepository', name: 'agent', namespace: 'default' },
};

/** The agent as read. */
export const AGENT: Agent = {
  ...SRE,
  exists: true,
  ...WRITTEN,
  ready: true,
  accepted: true,
  managed: 'helmrelease',
  helmRelease: { ...RELEASE, ready: true },
  values: VALUES,
};

/** The agent as read before its release is applied. */
export const NEW_AGENT: Agent = {
  ...AGENT,
  exists: false,
  ready: null,
  accepted: null,
  helmRelease: { ...RELEASE, ready: null },
};

/** Another one, from before there were toolsets. */
export const OLD_AGENT: Agent = {
  namespace: 'default',
  name: 'helpdesk',
  exists: true,
  modelConfig: 'default-model-config',
  implicitFullAccess: true,
  ready: true,
  accepted: true,
  managed: 'gitops',
};
