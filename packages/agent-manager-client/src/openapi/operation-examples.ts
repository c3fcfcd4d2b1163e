import type { ClientInput } from '../client/create-agent-manager-client.ts';
import type { OperationName, OperationOutput } from '../operations/operations.ts';
import { formatReason } from '../refusals/refusal.ts';
import { REFUSALS } from '../refusals/refusals.ts';
import type { Agent, AgentManifests } from '../schemas/answers.ts';

/** The key of the example agent. */
const SRE = { namespace: 'default', name: 'sre' } as const;

/** The arguments of `create_agent`, without the name. */
const EXAMPLE_ARGUMENTS = {
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

/** The manifests of the example agent. */
const MANIFESTS: AgentManifests = {
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

/** The example agent after its release was applied. */
const AGENT: Agent = {
  ...SRE,
  exists: true,
  ...EXAMPLE_ARGUMENTS,
  ready: true,
  accepted: true,
  managed: 'helmrelease',
  helmRelease: { ...RELEASE, ready: true },
  values: VALUES,
};

/** The example agent before its release is applied. */
const NEW_AGENT: Agent = {
  ...AGENT,
  exists: false,
  ready: null,
  accepted: null,
  helmRelease: { ...RELEASE, ready: null },
};

/** An agent without a toolset. */
const OLD_AGENT: Agent = {
  namespace: 'default',
  name: 'helpdesk',
  exists: true,
  modelConfig: 'default-model-config',
  implicitFullAccess: true,
  ready: true,
  accepted: true,
  managed: 'gitops',
};

/** An example call of an operation and its answer, for the reference. */
interface OperationExample<Name extends OperationName> {
  readonly input: ClientInput<Name>;
  readonly output: OperationOutput<Name>;
}

const READY_CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'InstallSucceeded',
  message: 'Helm install succeeded',
  lastTransitionTime: '2026-01-15T09:30:00Z',
};

/** An example call of each operation, for the same agent. */
export const OPERATION_EXAMPLES: { readonly [Name in OperationName]: OperationExample<Name> } = {
  get_info: {
    input: {},
    output: {
      version: '0.4.0',
      chart: {
        ociUrl: 'oci://registry.gateway.internal/charts/agent',
        semver: 'x.x.x',
        schemaVersion: '0.6.0',
        schemaSource: 'embedded',
      },
      namespaces: { default: 'default', managed: ['default', 'team-a'] },
      capabilities: {
        list: true,
        get: true,
        create: true,
        update: true,
        delete: true,
        status: true,
        validate: true,
        modelConfigs: true,
        skills: true,
        writesAsCaller: false,
      },
      identity: 'serviceAccount',
      apiVersions: {
        agent: 'kagent.dev/v1alpha2',
        modelConfig: 'kagent.dev/v1alpha2',
        helmRelease: 'helm.toolkit.fluxcd.io/v2',
        ociRepository: 'source.toolkit.fluxcd.io/v1',
      },
      flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
      skillsRepositories: ['https://git.gateway.internal/platform/skills'],
    },
  },
  list_agents: {
    input: { namespace: 'default' },
    output: { agents: [OLD_AGENT, AGENT] },
  },
  get_agent: { input: SRE, output: AGENT },
  get_agent_status: {
    input: SRE,
    output: {
      ...SRE,
      verdict: 'ready',
      summary: 'Agent is Ready; 1/1 pods available',
      agent: { exists: true, ready: true, accepted: true, conditions: [] },
      helmRelease: {
        exists: true,
        ready: true,
        suspended: false,
        gitOpsOwned: false,
        deleting: false,
        conditions: [READY_CONDITION],
        history: [{ version: 1, chartVersion: '0.6.0', status: 'deployed' }],
      },
      deployment: {
        exists: true,
        replicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        conditions: [],
      },
      pods: [
        {
          name: 'sre-7d9c5f8b6-x2x4q',
          phase: 'Running',
          ready: true,
          restarts: 0,
          containers: [{ name: 'agent', state: 'running' }],
        },
      ],
      events: [],
    },
  },
  validate_agent: {
    input: { name: 'sre', modelConfig: 'huge', toolset: ['preset:read-only'] },
    output: {
      valid: false,
      mode: 'create',
      errors: [
        formatReason(
          REFUSALS.noModelConfig({
            namespace: 'default',
            modelConfig: 'huge',
            valid: ['default-model-config'],
          }),
        ),
      ],
      schemaVersion: '0.6.0',
      schemaSource: 'embedded',
    },
  },
  list_model_configs: {
    input: { namespace: 'default' },
    output: {
      modelConfigs: [
        {
          name: 'default-model-config',
          namespace: 'default',
          provider: 'OpenAI',
          model: 'large',
          accepted: true,
        },
      ],
    },
  },
  list_skills: {
    input: { repository: 'https://git.gateway.internal/platform/skills' },
    output: {
      skills: [
        {
          name: 'runbooks',
          description: 'How incidents are handled here',
          repository: 'https://git.gateway.internal/platform/skills',
          ref: 'main',
          path: 'runbooks',
        },
      ],
    },
  },
  create_agent: {
    input: { name: 'sre', ...EXAMPLE_ARGUMENTS },
    output: {
      agent: NEW_AGENT,
      manifests: MANIFESTS,
      created: { ociRepository: true, helmRelease: true },
      status: {
        ...SRE,
        verdict: 'progressing',
        summary: 'HelmRelease created; Flux has not reconciled it yet',
        agent: { exists: false, ready: null, accepted: null, conditions: [] },
        helmRelease: {
          exists: true,
          ready: null,
          suspended: false,
          gitOpsOwned: false,
          deleting: false,
          conditions: [],
          history: [],
        },
        deployment: {
          exists: false,
          replicas: 0,
          readyReplicas: 0,
          availableReplicas: 0,
          conditions: [],
        },
        pods: [],
        events: [],
      },
    },
  },
  update_agent: {
    input: { ...SRE, toolset: ['preset:read-only', 'workflow:incident-triage'] },
    output: {
      agent: AGENT,
      before: { toolset: ['preset:read-only'] },
      after: { toolset: ['preset:read-only', 'workflow:incident-triage'] },
      changed: ['toolset'],
      manifests: MANIFESTS,
    },
  },
  delete_agent: {
    input: SRE,
    output: {
      ...SRE,
      helmReleaseDeleted: true,
      agentDeleted: false,
      ociRepositoryDeleted: false,
      ociRepositoryKept: 'still referenced by 1 other HelmRelease(s): helpdesk',
    },
  },
};
