import * as z from 'zod';
import { agent } from './agent.ts';
import { agentStatus } from './status.ts';

const values = z.record(z.string(), z.unknown());

/** What is written for an agent. */
export const manifests = z.object({
  ociRepository: z.string().meta({ description: 'YAML of the chart’s source.' }),
  helmRelease: z.string().meta({ description: 'YAML of the release.' }),
  values: values.meta({ description: 'Values of the release.' }),
});

const requestedBy = z
  .string()
  .optional()
  .meta({ description: 'Who asked for it, where callers sign in.' });

/** What `list_agents` answers. */
export const agentList = z.object({ agents: z.array(agent) });

/** What `create_agent` answers. */
export const createResult = z.object({
  agent,
  manifests,
  created: z.object({ ociRepository: z.boolean(), helmRelease: z.boolean() }),
  status: agentStatus.optional(),
  requestedBy,
});

/** What `update_agent` answers. Nothing changed: nothing was written. */
export const updateResult = z.object({
  agent,
  before: values,
  after: values,
  changed: z
    .array(z.string())
    .meta({ description: 'Paths of the values that changed, sorted. A list is one path.' }),
  manifests,
  requestedBy,
});

/** What `delete_agent` answers. */
export const deleteResult = z.object({
  name: z.string(),
  namespace: z.string(),
  helmReleaseDeleted: z.boolean(),
  agentDeleted: z.boolean(),
  ociRepositoryDeleted: z.boolean(),
  ociRepositoryKept: z.string().optional().meta({ description: 'Why the chart’s source stays.' }),
  requestedBy,
});

/** Where the schema of the chart’s values comes from. */
export const SCHEMA_SOURCES = ['registry', 'embedded'] as const;

/** What `validate_agent` answers. */
export const validateResult = z.object({
  valid: z.boolean(),
  mode: z.enum(['create', 'update']),
  errors: z.array(z.string()).optional(),
  schemaVersion: z.string(),
  schemaSource: z.enum(SCHEMA_SOURCES),
  manifests: manifests
    .optional()
    .meta({ description: 'What would be written; absent where nothing could be composed.' }),
});

/** What is written for an agent. */
export type Manifests = z.output<typeof manifests>;
/** What `list_agents` answers. */
export type AgentList = z.output<typeof agentList>;
/** What `create_agent` answers. */
export type CreateResult = z.output<typeof createResult>;
/** What `update_agent` answers. */
export type UpdateResult = z.output<typeof updateResult>;
/** What `delete_agent` answers. */
export type DeleteResult = z.output<typeof deleteResult>;
/** What `validate_agent` answers. */
export type ValidateResult = z.output<typeof validateResult>;
