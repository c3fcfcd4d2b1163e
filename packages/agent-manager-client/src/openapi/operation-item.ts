import { methodName } from '../client/method-name.ts';
import { inputSchemaOf, type JsonSchema } from '../operations/operation-schemas.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { pathArguments } from '../operations/path-arguments.ts';
import { answerReference, bodyReference } from './component-schemas.ts';
import { OPERATION_EXAMPLES } from './operation-examples.ts';
import { refusalsOf } from './refusal-responses.ts';

/** The first segment of a route: what its operation is about. */
export const tagOf = (route: string): string => route.split('/')[3] ?? '';

/** In a path nothing is left out. */
const LEFT_OUT = / ?Left out: [^.]*\./;

const argumentSchema = (name: OperationName, argument: string): JsonSchema => {
  const { properties } = inputSchemaOf(name);
  return { ...(properties as Readonly<Record<string, JsonSchema>>)[argument] };
};

const parameter = (name: OperationName, argument: string, place: 'path' | 'query'): JsonSchema => {
  const { description, ...schema } = argumentSchema(name, argument);
  const given: Readonly<Record<string, unknown>> = OPERATION_EXAMPLES[name].input;
  const example = given[argument];
  const text = String(description);
  return {
    name: argument,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
    description: place === 'path' ? text.replace(LEFT_OUT, '') : text,
    schema,
    ...(example === undefined ? {} : { example }),
  };
};

const parameters = (name: OperationName): readonly JsonSchema[] => [
  ...pathArguments(OPERATIONS[name].route).map((argument) => parameter(name, argument, 'path')),
  ...OPERATIONS[name].query.map((argument) => parameter(name, argument, 'query')),
];

/** Returns the arguments of the example that are in the body. */
const exampleBody = (name: OperationName): JsonSchema => {
  const { route, query } = OPERATIONS[name];
  const elsewhere: readonly string[] = [...pathArguments(route), ...query];
  return Object.fromEntries(
    Object.entries(OPERATION_EXAMPLES[name].input).filter(([key]) => !elsewhere.includes(key)),
  );
};

const requestBody = (name: OperationName): JsonSchema => {
  const schema = bodyReference(name);
  if (schema === undefined) return {};
  const content = { 'application/json': { schema, example: exampleBody(name) } };
  return { requestBody: { required: true, content } };
};

/** Descriptions of the statuses of successful answers. */
const DONE = { 200: 'The answer.', 201: 'The answer; it is there now.' } as const;

const responses = (name: OperationName): JsonSchema => {
  const { status } = OPERATIONS[name];
  const answer = { schema: answerReference(name), example: OPERATION_EXAMPLES[name].output };
  return Object.fromEntries([
    [String(status), { description: DONE[status], content: { 'application/json': answer } }],
    ...refusalsOf(OPERATIONS[name]).map((kind) => [
      String(kind.status),
      { $ref: `#/components/responses/${kind.name}` },
    ]),
  ]) as JsonSchema;
};

/** An operation as OpenAPI describes it, with the name and the hints of its MCP tool. */
export const operationItem = (name: OperationName): JsonSchema => {
  const { title, description, route, hints } = OPERATIONS[name];
  const inUrl = parameters(name);
  return {
    operationId: methodName(name),
    tags: [tagOf(route)],
    summary: title,
    description,
    'x-mcp-tool': name,
    'x-mcp-hints': hints,
    ...(inUrl.length === 0 ? {} : { parameters: inUrl }),
    ...requestBody(name),
    responses: responses(name),
  };
};
