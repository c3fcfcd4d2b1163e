import * as z from 'zod';

/** A condition of a Kubernetes object. */
export const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
  lastTransitionTime: z.string().optional(),
});

const skills = z.object({
  refs: z.array(z.string()).optional(),
  gitRefs: z
    .array(
      z.object({
        url: z.string(),
        path: z.string().optional(),
        ref: z.string().optional(),
        name: z.string().optional(),
      }),
    )
    .optional(),
  gitAuthSecretName: z.string().optional(),
});

const release = z.object({
  name: z.string(),
  namespace: z.string(),
  ready: z.boolean().nullable(),
  reason: z.string().optional(),
  message: z.string().optional(),
  chartVersion: z.string().optional(),
  lastAttemptedRevision: z.string().optional(),
  suspended: z.boolean(),
  gitOpsOwned: z.boolean(),
  deleting: z.boolean(),
  chartRef: z
    .object({ kind: z.string(), name: z.string(), namespace: z.string().optional() })
    .optional(),
});

/** The owner of an agent: agent-manager through its release, a Git repository, or unknown. */
const AGENT_OWNERS = ['helmrelease', 'gitops', 'none'] as const;

/** An agent as read. */
export const agent = z.object({
  name: z.string(),
  namespace: z.string(),
  exists: z.boolean().meta({
    description: 'Whether the Agent itself is there; false until its release is applied.',
  }),
  displayName: z.string().optional(),
  description: z.string().optional(),
  modelConfig: z.string().optional(),
  runtime: z.string().optional(),
  iconUrl: z.string().optional(),
  systemMessage: z.string().optional(),
  skills: skills.optional(),
  toolset: z
    .array(z.string())
    .optional()
    .meta({ description: 'Present when the release declares one.' }),
  implicitFullAccess: z.literal(true).optional().meta({
    description:
      'Present when no toolset is declared: the agent may use everything that the gateway exposes.',
  }),
  ready: z.boolean().nullable(),
  accepted: z.boolean().nullable(),
  conditions: z.array(condition).optional(),
  managed: z.enum(AGENT_OWNERS),
  helmRelease: release.optional(),
  values: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Values of the release.' }),
});

/** An agent as read. */
export type Agent = z.output<typeof agent>;

/** The state of an agent. */
const VERDICTS = ['ready', 'progressing', 'failed', 'unknown'] as const;

const container = z.object({
  name: z.string(),
  state: z.enum(['running', 'waiting', 'terminated', 'unknown']),
  reason: z.string().optional(),
  message: z.string().optional(),
  init: z.boolean().optional(),
});

/** The answer of `get_agent_status`. */
export const agentStatus = z.object({
  name: z.string(),
  namespace: z.string(),
  verdict: z.enum(VERDICTS),
  summary: z.string().meta({ description: 'The verdict as a sentence.' }),
  agent: z.object({
    exists: z.boolean(),
    ready: z.boolean().nullable(),
    accepted: z.boolean().nullable(),
    conditions: z.array(condition),
  }),
  helmRelease: z.object({
    exists: z.boolean(),
    ready: z.boolean().nullable(),
    suspended: z.boolean(),
    gitOpsOwned: z.boolean(),
    deleting: z.boolean(),
    conditions: z.array(condition),
    history: z.array(
      z.object({
        version: z.number().optional(),
        chartVersion: z.string().optional(),
        status: z.string().optional(),
        lastDeployed: z.string().optional(),
      }),
    ),
    lastAttemptedRevision: z.string().optional(),
  }),
  deployment: z.object({
    exists: z.boolean(),
    replicas: z.number(),
    readyReplicas: z.number(),
    availableReplicas: z.number(),
    conditions: z.array(condition),
  }),
  pods: z.array(
    z.object({
      name: z.string(),
      phase: z.string(),
      ready: z.boolean(),
      restarts: z.number(),
      containers: z.array(container),
    }),
  ),
  events: z.array(
    z.object({
      type: z.string(),
      reason: z.string(),
      message: z.string(),
      object: z.string().meta({ description: '`Kind/name`.' }),
      count: z.number(),
      lastTimestamp: z.string().optional(),
    }),
  ),
});

/** The answer of `get_agent_status`. */
export type AgentStatus = z.output<typeof agentStatus>;

const values = z.record(z.string(), z.unknown());

/** The answer of `show_agent_manifests`. */
export const manifests = z.object({
  ociRepository: z.string().meta({ description: 'YAML of the chart’s source.' }),
  helmRelease: z.string().meta({ description: 'YAML of the release.' }),
  values: values.meta({ description: 'Values of the release.' }),
});

const requestedBy = z
  .string()
  .optional()
  .meta({ description: 'Who asked for it, where callers sign in.' });

const warnings = z.array(z.string()).optional().meta({
  description: 'Presets and servers of the toolset that are unknown here; the gateway resolves it.',
});

/** The answer of `list_agents`. */
export const agentList = z.object({ agents: z.array(agent) });

/** The answer of `create_agent`. */
export const createResult = z.object({
  agent,
  manifests,
  created: z.object({ ociRepository: z.boolean(), helmRelease: z.boolean() }),
  status: agentStatus.optional(),
  warnings,
  requestedBy,
});

/** The answer of `update_agent`. Without a change nothing is written. */
export const updateResult = z.object({
  agent,
  before: values,
  after: values,
  changed: z
    .array(z.string())
    .meta({ description: 'Paths of the values that changed, sorted. A list is one path.' }),
  manifests,
  warnings,
  requestedBy,
});

/** The answer of `delete_agent`. */
export const deleteResult = z.object({
  name: z.string(),
  namespace: z.string(),
  helmReleaseDeleted: z.boolean(),
  agentDeleted: z.boolean(),
  ociRepositoryDeleted: z.boolean(),
  ociRepositoryKept: z.string().optional().meta({ description: 'Why the chart’s source stays.' }),
  requestedBy,
});

/** Source of the schema of the chart's values. */
const SCHEMA_SOURCES = ['registry', 'embedded'] as const;

/** The answer of `validate_agent`. */
export const validateResult = z.object({
  valid: z.boolean(),
  mode: z.enum(['create', 'update']),
  errors: z.array(z.string()).optional(),
  warnings,
  schemaVersion: z.string(),
  schemaSource: z.enum(SCHEMA_SOURCES),
  manifests: manifests
    .optional()
    .meta({ description: 'What would be written; absent where nothing could be composed.' }),
});

/** The answer of `show_agent_manifests`. */
export type AgentManifests = z.output<typeof manifests>;
/** The answer of `list_agents`. */
export type AgentList = z.output<typeof agentList>;
/** The answer of `create_agent`. */
export type CreateResult = z.output<typeof createResult>;
/** The answer of `update_agent`. */
export type UpdateResult = z.output<typeof updateResult>;
/** The answer of `delete_agent`. */
export type DeleteResult = z.output<typeof deleteResult>;
/** The answer of `validate_agent`. */
export type ValidateResult = z.output<typeof validateResult>;

const capabilities = z.object({
  list: z.boolean(),
  get: z.boolean(),
  create: z.boolean(),
  update: z.boolean(),
  delete: z.boolean(),
  status: z.boolean(),
  validate: z.boolean(),
  modelConfigs: z.boolean(),
  skills: z.boolean(),
  writesAsCaller: z.boolean(),
});

/** The answer of `get_info`. */
export const info = z.object({
  version: z.string(),
  chart: z.object({
    ociUrl: z.string(),
    semver: z.string(),
    latestVersion: z.string().optional(),
    schemaVersion: z.string(),
    schemaSource: z.enum(SCHEMA_SOURCES),
    resolvedAt: z.string().optional(),
    error: z.string().optional(),
  }),
  namespaces: z.object({ default: z.string(), managed: z.array(z.string()) }),
  capabilities,
  identity: z.enum(['caller', 'serviceAccount']),
  apiVersions: z.object({
    agent: z.string(),
    modelConfig: z.string(),
    helmRelease: z.string(),
    ociRepository: z.string(),
  }),
  flux: z.object({
    helmReleaseInterval: z.string(),
    ociRepositoryInterval: z.string(),
    serviceAccountName: z.string().optional(),
  }),
  skillsRepositories: z.array(z.string()),
});

/** The answer of `list_model_configs`. */
export const modelConfigList = z.object({
  modelConfigs: z.array(
    z.object({
      name: z.string(),
      namespace: z.string(),
      provider: z.string().optional(),
      model: z.string().optional(),
      accepted: z.boolean().nullable(),
      message: z.string().optional(),
      managedBy: z.string().optional(),
    }),
  ),
});

/** The answer of `list_skills`. */
export const skillList = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      repository: z.string(),
      ref: z.string(),
      path: z
        .string()
        .meta({ description: 'Folder of the skill in the repository; empty for its root.' }),
    }),
  ),
});

/** The answer of `get_info`. */
export type Info = z.output<typeof info>;
/** The answer of `list_model_configs`. */
export type ModelConfigList = z.output<typeof modelConfigList>;
/** The answer of `list_skills`. */
export type SkillList = z.output<typeof skillList>;
