import * as z from 'zod';
import type { AgentRefusalCode } from '../refusals/refusal.ts';
import {
  agentFields,
  agentName,
  namespaceField,
  newAgentName,
  createStringField,
  createToolsetField,
} from '../schemas/agent-fields.ts';
import {
  agent,
  agentList,
  agentStatus,
  createResult,
  deleteResult,
  info,
  modelConfigList,
  skillList,
  updateResult,
  validateResult,
} from '../schemas/answers.ts';

/** MCP tool annotations. All are set: clients assume the worst for an absent hint. */
export interface OperationHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * An operation of agent-manager: a tool over MCP and a route over REST, with the same arguments, the same
 * results and the same refusals.
 *
 * @spec §4.4
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Route extends `/api/v1/${string}` = `/api/v1/${string}`,
> {
  /** Title for users: `Create an agent`. */
  readonly title: string;
  /** For models: the effect of the operation, and `WRITES` or `Read-only`. */
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the root of the server, with arguments in braces. */
  readonly route: Route;
  /** All arguments in one object, as in an MCP call. Strict: unknown names are refused. */
  readonly input: Input;
  /** Arguments in the query of a REST request. Arguments of the route are in the path, all others in the body. */
  readonly query: readonly (keyof z.output<Input> & string)[];
  readonly output: Output;
  /** Status of the answer over REST. */
  readonly status: 200 | 201;
  readonly hints: OperationHints;
  /** The codes of possible refusals. */
  readonly refusals: readonly AgentRefusalCode[];
}

/** Defines an operation, preserving the exact types of its schemas and its route. */
const defineOperation = <
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Route extends `/api/v1/${string}`,
>(
  definition: Operation<Input, Output, Route>,
): Operation<Input, Output, Route> => definition;

/** Returns the arguments in the path of a route, in order. */
export const listPathArguments = (route: string): readonly string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** The `instructions` of the MCP server: how a model uses the operations. */
export const INSTRUCTIONS =
  'An agent declares with `toolset` which tools of the gateway it may use. List agents and model configurations with list_agents and list_model_configs. Validate a change with validate_agent, then apply it with create_agent or update_agent. get_agent_status reports when the agent runs.';

const READ_ONLY_HINTS: OperationHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const agentInput = z.strictObject({ name: agentName, namespace: namespaceField });
const namespaceInput = z.strictObject({ namespace: namespaceField });

const force = z.boolean().optional().meta({
  description: 'Write although a Git repository or a suspended release would undo or ignore it.',
});

const createWriteHints = (hints: Partial<OperationHints>): OperationHints => ({
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
  ...hints,
});

/** All operations, by the name of their tool. @spec §4.4 */
export const OPERATIONS = {
  get_info: defineOperation({
    title: 'Describe agent-manager',
    description:
      'Read-only. Returns the managed namespaces, the chart of agents, and the available features.',
    method: 'GET',
    route: '/api/v1/info',
    input: z.strictObject({}),
    query: [],
    output: info,
    status: 200,
    hints: READ_ONLY_HINTS,
    refusals: ['invalid_request', 'unauthenticated'],
  }),
  list_agents: defineOperation({
    title: 'List agents',
    description:
      'Read-only. All agents of a namespace with their toolsets; `implicitFullAccess` marks those that declare none.',
    method: 'GET',
    route: '/api/v1/agents',
    input: namespaceInput,
    query: ['namespace'],
    output: agentList,
    status: 200,
    hints: READ_ONLY_HINTS,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'backend_error'],
  }),
  get_agent: defineOperation({
    title: 'Show an agent',
    description:
      'Read-only. One agent: its fields, its toolset, who manages it and its release’s values.',
    method: 'GET',
    route: '/api/v1/agents/{namespace}/{name}',
    input: agentInput,
    query: [],
    output: agent,
    status: 200,
    hints: READ_ONLY_HINTS,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'not_found', 'backend_error'],
  }),
  get_agent_status: defineOperation({
    title: 'Show the status of an agent',
    description:
      'Read-only. A verdict (ready, progressing, failed, unknown) and why: release, Deployment, pods and events.',
    method: 'GET',
    route: '/api/v1/agents/{namespace}/{name}/status',
    input: agentInput,
    query: [],
    output: agentStatus,
    status: 200,
    hints: READ_ONLY_HINTS,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'not_found', 'backend_error'],
  }),
  validate_agent: defineOperation({
    title: 'Check an agent without writing',
    description:
      'Read-only. Checks what create_agent, or with `update` update_agent, would refuse, and shows what it would write.',
    method: 'POST',
    route: '/api/v1/agents/validate',
    input: z.strictObject({
      name: newAgentName,
      ...agentFields,
      toolset: createToolsetField('Required unless `update` is set.').optional(),
      namespace: namespaceField,
      update: z.boolean().optional().meta({ description: 'Check a change of an existing agent.' }),
      force: z.boolean().optional().meta({ description: 'As update_agent takes it.' }),
    }),
    query: [],
    output: validateResult,
    status: 200,
    hints: READ_ONLY_HINTS,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'backend_error'],
  }),
  list_model_configs: defineOperation({
    title: 'List model configurations',
    description: 'Read-only. The models that agents of a namespace may name as `modelConfig`.',
    method: 'GET',
    route: '/api/v1/modelconfigs',
    input: namespaceInput,
    query: ['namespace'],
    output: modelConfigList,
    status: 200,
    hints: READ_ONLY_HINTS,
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'backend_error'],
  }),
  list_skills: defineOperation({
    title: 'List skills',
    description: 'Read-only. Skills in the configured Git repositories, for `skills.gitRefs`.',
    method: 'GET',
    route: '/api/v1/skills',
    input: z.strictObject({
      repository: createStringField('One of the configured repositories. Left out: all of them.'),
      ref: createStringField('Branch, tag or commit. Left out: the default branch.'),
      refresh: z
        .boolean()
        .optional()
        .meta({ description: 'Read the repositories again instead of using the cache.' }),
    }),
    query: ['repository', 'ref', 'refresh'],
    output: skillList,
    status: 200,
    hints: { ...READ_ONLY_HINTS, openWorldHint: true },
    refusals: ['invalid_request', 'unauthenticated', 'not_found', 'unsupported', 'backend_error'],
  }),
  create_agent: defineOperation({
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
      toolset: createToolsetField('REQUIRED.'),
      namespace: namespaceField,
    }),
    query: [],
    output: createResult,
    status: 201,
    hints: createWriteHints({}),
    refusals: ['invalid_request', 'unauthenticated', 'forbidden', 'conflict', 'backend_error'],
  }),
  update_agent: defineOperation({
    title: 'Change an agent',
    description:
      'WRITES. Changes the given fields of an agent: omitted fields stay, "" removes a text, lists and maps are replaced. `toolset` replaces the whole list; also the way to give one to an agent that has none.',
    method: 'PATCH',
    route: '/api/v1/agents/{namespace}/{name}',
    input: z.strictObject({
      name: agentName,
      ...agentFields,
      toolset: createToolsetField(
        'Replaces the agent’s whole toolset with this list; left out, it stays. An empty list is refused: use ["preset:none"].',
      ).optional(),
      namespace: namespaceField,
      force,
    }),
    query: ['force'],
    output: updateResult,
    status: 200,
    hints: createWriteHints({ idempotentHint: true }),
    refusals: [
      'invalid_request',
      'unauthenticated',
      'forbidden',
      'not_found',
      'conflict',
      'backend_error',
    ],
  }),
  delete_agent: defineOperation({
    title: 'Delete an agent',
    description:
      'WRITES. Deletes an agent: its release, and the chart’s source when no other release uses it. `force` also deletes an agent without a release, one that a Git repository owns and one that is suspended.',
    method: 'DELETE',
    route: '/api/v1/agents/{namespace}/{name}',
    input: z.strictObject({ name: agentName, namespace: namespaceField, force }),
    query: ['force'],
    output: deleteResult,
    status: 200,
    hints: createWriteHints({ destructiveHint: true, idempotentHint: true }),
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

/** Name of an operation and of its MCP tool. */
export type OperationName = keyof typeof OPERATIONS;

/** The validated arguments of an operation. */
export type OperationInput<Name extends OperationName> = z.output<
  (typeof OPERATIONS)[Name]['input']
>;

/** The answer of an operation. */
export type OperationOutput<Name extends OperationName> = z.output<
  (typeof OPERATIONS)[Name]['output']
>;

/** A JSON Schema (2020-12) as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Removes `propertyNames`, which is redundant: names of properties are strings. */
const withoutPropertyNames = ({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}) => {
  delete jsonSchema.propertyNames;
};

const toPlainSchema = (schema: z.ZodObject, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: withoutPropertyNames });
  return rest;
};

const createSchemaCache = (make: (name: OperationName) => JsonSchema) => {
  const made = new Map<OperationName, JsonSchema>();
  return (name: OperationName): JsonSchema => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const schema = make(name);
    made.set(name, schema);
    return schema;
  };
};

/** Returns the input schema of an operation for MCP callers: closed, all arguments in one object. Cached. */
export const toInputSchema: (name: OperationName) => JsonSchema = createSchemaCache((name) =>
  toPlainSchema(OPERATIONS[name].input, 'input'),
);

/** Returns the output schema of an operation. It is open, since fields can be added. Cached. */
export const toOutputSchema: (name: OperationName) => JsonSchema = createSchemaCache((name) =>
  toPlainSchema(OPERATIONS[name].output, 'input'),
);
