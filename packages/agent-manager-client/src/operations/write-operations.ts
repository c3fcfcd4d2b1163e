import * as z from 'zod';
import { agentFields } from '../schemas/agent-fields.ts';
import { agentName, namespaceField, newAgentName } from '../schemas/name-fields.ts';
import { createResult, deleteResult, updateResult } from '../schemas/results.ts';
import { toolsetField } from '../schemas/toolset-field.ts';
import { operation, type OperationHints } from './operation.ts';

const force = z.boolean().optional().meta({
  description: 'Write although a Git repository or a suspended release would undo or ignore it.',
});

const writing = (hints: Partial<OperationHints>): OperationHints => ({
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
  ...hints,
});

/** Operations that write. @spec §4.4 */
export const WRITE_OPERATIONS = {
  create_agent: operation({
    title: 'Create an agent',
    description:
      'WRITES. Creates an agent as a release of the agent chart. `toolset` is REQUIRED: use ["preset:read-only"] unless more is needed, ["preset:none"] for a chat-only agent. Try it with validate_agent first.',
    method: 'POST',
    route: '/api/v1/agents',
    input: z.strictObject({
      name: newAgentName,
      ...agentFields,
      modelConfig: z.string().meta({
        description: 'Name of a ModelConfig in the agent’s namespace; see list_model_configs.',
      }),
      toolset: toolsetField('REQUIRED.'),
      namespace: namespaceField,
    }),
    query: [],
    output: createResult,
    status: 201,
    hints: writing({}),
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'conflict', 'backend_error'],
  }),
  update_agent: operation({
    title: 'Change an agent',
    description:
      'WRITES. Changes the given fields of an agent: omitted fields stay, "" removes a text, lists and maps are replaced. `toolset` replaces the whole list; also the way to give one to an agent that has none.',
    method: 'PATCH',
    route: '/api/v1/agents/{namespace}/{name}',
    input: z.strictObject({
      name: agentName,
      ...agentFields,
      toolset: toolsetField(
        'Replaces the agent’s whole toolset with this list; left out, it stays. An empty list is refused: use ["preset:none"].',
      ).optional(),
      namespace: namespaceField,
      force,
    }),
    query: ['force'],
    output: updateResult,
    status: 200,
    hints: writing({ idempotentHint: true }),
    refusals: [
      'invalid_request',
      'unauthenticated',
      'forbidden',
      'not_found',
      'conflict',
      'backend_error',
    ],
  }),
  delete_agent: operation({
    title: 'Delete an agent',
    description:
      'WRITES. Deletes an agent: its release, and the chart’s source when no other release uses it. `force` also deletes an agent without a release, one that a Git repository owns and one that is suspended.',
    method: 'DELETE',
    route: '/api/v1/agents/{namespace}/{name}',
    input: z.strictObject({ name: agentName, namespace: namespaceField, force }),
    query: ['force'],
    output: deleteResult,
    status: 200,
    hints: writing({ destructiveHint: true, idempotentHint: true }),
    refusals: [
      'invalid_request',
      'unauthenticated',
      'forbidden',
      'not_found',
      'conflict',
      'backend_error',
    ],
  }),
} as const;
