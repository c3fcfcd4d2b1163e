import * as z from 'zod';
import { agent } from './agent.ts';
import { agentStatus } from './status.ts';

const values = z.record(z.string(), z.unknown());

/** The manifests of an agent. */
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
export const SCHEMA_SOURCES = ['registry', 'embedded'] as const;

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

/** The manifests of an agent. */
export type Manifests = z.output<typeof manifests>;
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
