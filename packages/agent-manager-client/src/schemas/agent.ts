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
const MANAGED = ['helmrelease', 'gitops', 'none'] as const;

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
  managed: z.enum(MANAGED),
  helmRelease: release.optional(),
  values: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Values of the release.' }),
});

/** An agent as read. */
export type Agent = z.output<typeof agent>;
