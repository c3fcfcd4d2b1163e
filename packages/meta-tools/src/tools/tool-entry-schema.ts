import type { JsonObject } from '@gateway/call-contract';

const hint: JsonObject = { type: 'boolean' };

/** The members of every answer about a tool. @spec §2.4 */
const toolProperties: JsonObject = {
  name: { type: 'string' },
  title: { type: 'string' },
  description: { type: 'string' },
  server: {
    type: 'string',
    description:
      'Owning server, or the family of a family tool; absent for workflows and core tools',
  },
  kind: { enum: ['tool', 'workflow', 'core'] },
  annotations: {
    type: 'object',
    properties: {
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    },
    additionalProperties: false,
    minProperties: 1,
  },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  inputSchema: { type: 'object' },
};

/** JSON Schema of an entry of `list_tools`, `filter_tools` and `list_core_tools`. @spec §2.4 */
export const toolEntrySchema: JsonObject = {
  type: 'object',
  properties: {
    ...toolProperties,
    summary: { type: 'string', description: 'First line of the description' },
    score: { type: 'number', description: 'Relevance; only with query' },
  },
  required: ['name', 'kind'],
  additionalProperties: false,
};

/** JSON Schema of the answer of `describe_tool`. @spec §2.4 */
export const toolDetailSchema: JsonObject = {
  type: 'object',
  properties: {
    ...toolProperties,
    outputSchema: { type: 'object' },
    available: {
      const: false,
      description: 'Present while the server is down: the entry is the last known one',
    },
    serverStates: {
      type: 'object',
      description: 'The state of each server of a tool that is not available',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['name', 'description', 'kind', 'inputSchema'],
  additionalProperties: false,
};
