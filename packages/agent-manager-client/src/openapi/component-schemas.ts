import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { pathArguments } from '../operations/path-arguments.ts';
import type { JsonSchema } from '../operations/operation-schemas.ts';
import { REFUSAL_STATUS, type RefusalCode } from '../refusals/refusal.ts';
import { agent, condition } from '../schemas/agent.ts';
import { info, modelConfigList, skillList } from '../schemas/info.ts';
import {
  agentList,
  createResult,
  deleteResult,
  manifests,
  updateResult,
  validateResult,
} from '../schemas/results.ts';
import { agentStatus } from '../schemas/status.ts';

const error = z
  .object({
    error: z.object({
      code: z
        .enum(Object.keys(REFUSAL_STATUS) as [RefusalCode, ...RefusalCode[]])
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
  const inPath = pathArguments(operation.route);
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
export const componentSchemas = (): Readonly<Record<string, JsonSchema>> => {
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
export const bodyReference = (name: OperationName): JsonSchema | undefined =>
  bodyOf(OPERATIONS[name]) === undefined ? undefined : { $ref: refTo(bodyName(name)) };

/** The answer of an operation, as a reference. */
export const answerReference = (name: OperationName): JsonSchema => {
  const [found] =
    Object.entries(NAMED).find(([, schema]) => schema === OPERATIONS[name].output) ?? [];
  if (found === undefined) throw new Error(`the answer of ${name} has no name`);
  return { $ref: refTo(found) };
};

/** The body of every refusal, as a reference. */
export const ERROR_REFERENCE: JsonSchema = { $ref: refTo('Error') };
