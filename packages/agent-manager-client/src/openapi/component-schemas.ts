import * as z from 'zod';
import {
  type JsonSchema,
  type Operation,
  type OperationName,
  OPERATIONS,
  listPathArguments,
} from '../operations/operations.ts';
import {
  createRefusal,
  type AgentRefusal,
  REFUSAL_STATUS,
  type AgentRefusalCode,
} from '../refusals/refusal.ts';
import { HTTP_REFUSALS, REFUSALS } from '../refusals/refusals.ts';
import {
  agent,
  agentList,
  agentStatus,
  condition,
  createResult,
  deleteResult,
  info,
  manifests,
  modelConfigList,
  skillList,
  updateResult,
  validateResult,
} from '../schemas/answers.ts';

const error = z
  .object({
    error: z.object({
      code: z
        .enum(Object.keys(REFUSAL_STATUS) as [AgentRefusalCode, ...AgentRefusalCode[]])
        .meta({ description: 'For programs.' }),
      message: z.string().meta({ description: 'One sentence for people.' }),
    }),
  })
  .meta({ description: 'A refusal.' });

/** The schemas of answers and errors, by component name. */
const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Agent: agent,
  AgentList: agentList,
  AgentStatus: agentStatus,
  Condition: condition,
  CreateResult: createResult,
  DeleteResult: deleteResult,
  Error: error,
  Info: info,
  Manifests: manifests,
  ModelConfigList: modelConfigList,
  SkillList: skillList,
  UpdateResult: updateResult,
  ValidateResult: validateResult,
};

const formatSchemaReference = (name: string): string => `#/components/schemas/${name}`;

/** Returns the schema of the request body; `undefined` for an operation without a body. */
const createBodySchema = (operation: Operation): z.ZodObject | undefined => {
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined;
  const inPath = listPathArguments(operation.route);
  const fields = Object.entries(operation.input.shape).filter(([name]) => !inPath.includes(name));
  return z.strictObject(Object.fromEntries(fields));
};

const toPascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const formatBodyName = (name: OperationName): string => `${toPascalCase(name)}Body`;

const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

const listBodySchemas = (): readonly (readonly [string, z.ZodType])[] =>
  OPERATION_NAMES.flatMap((name) => {
    const body = createBodySchema(OPERATIONS[name]);
    return body === undefined ? [] : [[formatBodyName(name), body] as const];
  });

/** Creates the component schemas, sorted by name, with references to each other. */
export const createComponentSchemas = (): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id: string }>();
  const schemas = [...Object.entries(NAMED_SCHEMAS), ...listBodySchemas()];
  for (const [id, schema] of schemas) registry.add(schema, { id });
  // `io: 'input'` keeps answers open for fields that a newer agent-manager adds.
  const generated = z.toJSONSchema(registry, { io: 'input', uri: formatSchemaReference }).schemas;
  return Object.fromEntries(
    Object.entries(generated)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { $schema: _schema, $id: _id, ...rest }]) => [name, rest]),
  );
};

/** Returns a reference to the request body of an operation; `undefined` without a body. */
export const findBodyReference = (name: OperationName): JsonSchema | undefined =>
  createBodySchema(OPERATIONS[name]) === undefined
    ? undefined
    : { $ref: formatSchemaReference(formatBodyName(name)) };

/** Returns a reference to the answer of an operation. */
export const resolveAnswerReference = (name: OperationName): JsonSchema => {
  const [found] =
    Object.entries(NAMED_SCHEMAS).find(([, schema]) => schema === OPERATIONS[name].output) ?? [];
  if (found === undefined) throw new Error(`the answer of ${name} has no name`);
  return { $ref: formatSchemaReference(found) };
};

/** A reference to the body of refusals. */
const ERROR_REFERENCE: JsonSchema = { $ref: formatSchemaReference('Error') };

/** A kind of refusal, as the OpenAPI document and its page show it. */
interface RefusalKind {
  /** The key in `components.responses`. */
  readonly name: string;
  readonly status: number;
  readonly description: string;
  readonly example: AgentRefusal;
}

/** The meaning of each code, with an example. */
const REFUSAL_KINDS: Readonly<Record<AgentRefusalCode, RefusalKind>> = {
  invalid_request: {
    name: 'InvalidRequest',
    status: REFUSAL_STATUS.invalid_request,
    description: 'An argument is invalid; the message names it and the reason.',
    example: createRefusal('invalid_request', 'name is required'),
  },
  unauthenticated: {
    name: 'Unauthenticated',
    status: REFUSAL_STATUS.unauthenticated,
    description:
      'The request has no valid token, or the Kubernetes API does not accept it. Without a valid token, `WWW-Authenticate` has the URL of the metadata.',
    example: createRefusal('unauthenticated', 'the Kubernetes API does not know the caller'),
  },
  forbidden: {
    name: 'Forbidden',
    status: REFUSAL_STATUS.forbidden,
    description:
      'Kubernetes does not permit the operation, or the request is for another host or from a page of another origin.',
    example: HTTP_REFUSALS.foreignHost('elsewhere.example').refusal,
  },
  not_found: {
    name: 'NotFound',
    status: REFUSAL_STATUS.not_found,
    description: 'The object does not exist.',
    example: REFUSALS.noAgentToRead({ namespace: 'default', name: 'sre' }),
  },
  conflict: {
    name: 'Conflict',
    status: REFUSAL_STATUS.conflict,
    description: 'The object already exists, has another owner, or has changed since it was read.',
    example: REFUSALS.releaseExists({ namespace: 'default', name: 'sre' }),
  },
  unsupported: {
    name: 'Unsupported',
    status: REFUSAL_STATUS.unsupported,
    description:
      'This agent-manager is not configured for the operation; `get_info` returns its capabilities.',
    example: REFUSALS.noSkillRepositories(),
  },
  backend_error: {
    name: 'BackendError',
    status: REFUSAL_STATUS.backend_error,
    description: 'A backend of agent-manager failed: the directory, the cluster or a Git host.',
    example: createRefusal('backend_error', 'the store did not answer within 10 s'),
  },
};

const TOO_LARGE = HTTP_REFUSALS.bodyTooLarge();
const NOT_JSON = HTTP_REFUSALS.notJson();

/** Additional refusals of requests with a body. */
const BODY_KINDS: readonly RefusalKind[] = [
  {
    name: 'BodyTooLarge',
    status: TOO_LARGE.status,
    description: 'The body is too long.',
    example: TOO_LARGE.refusal,
  },
  {
    name: 'NotJson',
    status: NOT_JSON.status,
    description: 'The body is not declared as JSON.',
    example: NOT_JSON.refusal,
  },
];

const sortByStatus = (kinds: readonly RefusalKind[]): readonly RefusalKind[] =>
  kinds.toSorted((a, b) => a.status - b.status);

/** Returns the refusals of an operation, including refusals of any request, sorted by status. */
export const listOperationRefusals = ({ method, refusals }: Operation): readonly RefusalKind[] => {
  const codes = new Set<AgentRefusalCode>([...refusals, 'forbidden']);
  const hasBody = method === 'POST' || method === 'PATCH';
  return sortByStatus([
    ...[...codes].map((code) => REFUSAL_KINDS[code]),
    ...(hasBody ? BODY_KINDS : []),
  ]);
};

/** All kinds of refusals, sorted by status. */
export const ALL_REFUSAL_KINDS: readonly RefusalKind[] = sortByStatus([
  ...Object.values(REFUSAL_KINDS),
  ...BODY_KINDS,
]);

/** The responses that operations refer to. */
export const createRefusalResponses = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    ALL_REFUSAL_KINDS.map(({ name, description, example }) => [
      name,
      {
        description,
        content: { 'application/json': { schema: ERROR_REFERENCE, example: { error: example } } },
      },
    ]),
  );
