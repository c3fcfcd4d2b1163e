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

/** Schemas that have a name of their own, in the order in which they are shown. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
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

const refTo = (name: string): string => `#/components/schemas/${name}`;

/** Returns the schema of the arguments in the body; `undefined` for an operation without a body. */
const bodyOf = (operation: Operation): z.ZodObject | undefined => {
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined;
  const inPath = listPathArguments(operation.route);
  const fields = Object.entries(operation.input.shape).filter(([name]) => !inPath.includes(name));
  return z.strictObject(Object.fromEntries(fields));
};

const capitalized = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const bodyName = (name: OperationName): string => `${capitalized(name)}Body`;

const names = Object.keys(OPERATIONS) as OperationName[];

const bodies = (): readonly (readonly [string, z.ZodType])[] =>
  names.flatMap((name) => {
    const body = bodyOf(OPERATIONS[name]);
    return body === undefined ? [] : [[bodyName(name), body] as const];
  });

/** The schemas of the document, in the order of their names, referring to each other. */
export const createComponentSchemas = (): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id: string }>();
  const schemas = [...Object.entries(NAMED), ...bodies()];
  for (const [id, schema] of schemas) registry.add(schema, { id });
  // As what is taken, so that answers stay open: a newer agent-manager adds fields.
  const made = z.toJSONSchema(registry, { io: 'input', uri: refTo }).schemas;
  return Object.fromEntries(
    Object.entries(made)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { $schema: _schema, $id: _id, ...rest }]) => [name, rest]),
  );
};

/** The body of an operation's requests, as a reference. */
export const findBodyReference = (name: OperationName): JsonSchema | undefined =>
  bodyOf(OPERATIONS[name]) === undefined ? undefined : { $ref: refTo(bodyName(name)) };

/** The answer of an operation, as a reference. */
export const resolveAnswerReference = (name: OperationName): JsonSchema => {
  const [found] =
    Object.entries(NAMED).find(([, schema]) => schema === OPERATIONS[name].output) ?? [];
  if (found === undefined) throw new Error(`the answer of ${name} has no name`);
  return { $ref: refTo(found) };
};

/** The body of every refusal, as a reference. */
const ERROR_REFERENCE: JsonSchema = { $ref: refTo('Error') };

/** One way of being refused, as the document and the page show it. */
interface RefusalKind {
  /** In `components.responses`. */
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

const byStatus = (kinds: readonly RefusalKind[]): readonly RefusalKind[] =>
  kinds.toSorted((a, b) => a.status - b.status);

/** Returns the refusals of an operation by status: those of the table and those of every request. */
export const listOperationRefusals = ({ method, refusals }: Operation): readonly RefusalKind[] => {
  const codes = new Set<AgentRefusalCode>([...refusals, 'forbidden']);
  const hasBody = method === 'POST' || method === 'PATCH';
  return byStatus([
    ...[...codes].map((code) => REFUSAL_KINDS[code]),
    ...(hasBody ? BODY_KINDS : []),
  ]);
};

/** All of them, by status. */
export const ALL_REFUSAL_KINDS: readonly RefusalKind[] = byStatus([
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
