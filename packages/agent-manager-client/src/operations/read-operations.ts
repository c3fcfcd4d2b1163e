import * as z from 'zod';
import { agent } from '../schemas/agent.ts';
import { agentFields } from '../schemas/agent-fields.ts';
import { info, modelConfigList, skillList } from '../schemas/info.ts';
import { agentList, validateResult } from '../schemas/results.ts';
import { agentStatus } from '../schemas/status.ts';
import { agentName, namespaceField, newAgentName } from '../schemas/name-fields.ts';
import { toolsetField } from '../schemas/toolset-field.ts';
import { text } from '../schemas/texts.ts';
import { operation, type OperationHints } from './operation.ts';

const READING: OperationHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const one = z.strictObject({ name: agentName, namespace: namespaceField });
const all = z.strictObject({ namespace: namespaceField });

/** Operations that only read. @spec §4.4 */
export const READ_OPERATIONS = {
  get_info: operation({
    title: 'Describe agent-manager',
    description:
      'Read-only. Returns the managed namespaces, the chart of agents, and the available features.',
    method: 'GET',
    route: '/api/v1/info',
    input: z.strictObject({}),
    query: [],
    output: info,
    status: 200,
    hints: READING,
    refusals: ['invalid_request', 'unauthenticated'],
  }),
  list_agents: operation({
    title: 'List agents',
    description:
      'Read-only. All agents of a namespace with their toolsets; `implicitFullAccess` marks those that declare none.',
    method: 'GET',
    route: '/api/v1/agents',
    input: all,
    query: ['namespace'],
    output: agentList,
    status: 200,
    hints: READING,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'backend_error'],
  }),
  get_agent: operation({
    title: 'Show an agent',
    description:
      'Read-only. One agent: its fields, its toolset, who manages it and its release’s values.',
    method: 'GET',
    route: '/api/v1/agents/{namespace}/{name}',
    input: one,
    query: [],
    output: agent,
    status: 200,
    hints: READING,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'not_found', 'backend_error'],
  }),
  get_agent_status: operation({
    title: 'Show the status of an agent',
    description:
      'Read-only. A verdict (ready, progressing, failed, unknown) and why: release, Deployment, pods and events.',
    method: 'GET',
    route: '/api/v1/agents/{namespace}/{name}/status',
    input: one,
    query: [],
    output: agentStatus,
    status: 200,
    hints: READING,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'not_found', 'backend_error'],
  }),
  validate_agent: operation({
    title: 'Check an agent without writing',
    description:
      'Read-only. Checks what create_agent, or with `update` update_agent, would refuse, and shows what it would write.',
    method: 'POST',
    route: '/api/v1/agents/validate',
    input: z.strictObject({
      name: newAgentName,
      ...agentFields,
      toolset: toolsetField('Required unless `update` is set.').optional(),
      namespace: namespaceField,
      update: z
        .boolean()
        .optional()
        .meta({ description: 'Check a change of an agent that is there.' }),
      force: z.boolean().optional().meta({ description: 'As update_agent takes it.' }),
    }),
    query: [],
    output: validateResult,
    status: 200,
    hints: READING,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'backend_error'],
  }),
  list_model_configs: operation({
    title: 'List model configurations',
    description: 'Read-only. The models that agents of a namespace may name as `modelConfig`.',
    method: 'GET',
    route: '/api/v1/modelconfigs',
    input: all,
    query: ['namespace'],
    output: modelConfigList,
    status: 200,
    hints: READING,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'backend_error'],
  }),
  list_skills: operation({
    title: 'List skills',
    description: 'Read-only. Skills in the configured Git repositories, for `skills.gitRefs`.',
    method: 'GET',
    route: '/api/v1/skills',
    input: z.strictObject({
      repository: text('Only this one of the configured repositories.'),
      ref: text('Branch, tag or commit. Left out: the default branch.'),
      refresh: z
        .boolean()
        .optional()
        .meta({ description: 'Ask the repositories again instead of telling what is remembered.' }),
    }),
    query: ['repository', 'ref', 'refresh'],
    output: skillList,
    status: 200,
    hints: { ...READING, openWorldHint: true },
    refusals: ['invalid_request', 'unauthenticated', 'not_found', 'unsupported', 'backend_error'],
  }),
} as const;
