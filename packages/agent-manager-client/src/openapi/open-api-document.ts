import { toMethodName } from '../client/create-agent-manager-client.ts';
import { MAX_BODY_BYTES } from '../limits.ts';
import {
  toInputSchema,
  type JsonSchema,
  type OperationName,
  OPERATIONS,
  listPathArguments,
} from '../operations/operations.ts';
import {
  resolveAnswerReference,
  findBodyReference,
  createComponentSchemas,
  createRefusalResponses,
  listOperationRefusals,
} from './component-schemas.ts';
import { OPERATION_EXAMPLES } from './operation-examples.ts';

/** The first segment of a route: what its operation is about. */
const resolveTag = (route: string): string => route.split('/')[3] ?? '';

/** In a path nothing is left out. */
const LEFT_OUT = / ?Left out: [^.]*\./;

const findArgumentSchema = (name: OperationName, argument: string): JsonSchema => {
  const { properties } = toInputSchema(name);
  return { ...(properties as Readonly<Record<string, JsonSchema>>)[argument] };
};

const createParameter = (
  name: OperationName,
  argument: string,
  place: 'path' | 'query',
): JsonSchema => {
  const { description, ...schema } = findArgumentSchema(name, argument);
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

const listParameters = (name: OperationName): readonly JsonSchema[] => [
  ...listPathArguments(OPERATIONS[name].route).map((argument) =>
    createParameter(name, argument, 'path'),
  ),
  ...OPERATIONS[name].query.map((argument) => createParameter(name, argument, 'query')),
];

/** Returns the arguments of the example that are in the body. */
const createExampleBody = (name: OperationName): JsonSchema => {
  const { route, query } = OPERATIONS[name];
  const elsewhere: readonly string[] = [...listPathArguments(route), ...query];
  return Object.fromEntries(
    Object.entries(OPERATION_EXAMPLES[name].input).filter(([key]) => !elsewhere.includes(key)),
  );
};

const requestBody = (name: OperationName): JsonSchema => {
  const schema = findBodyReference(name);
  if (schema === undefined) return {};
  const content = { 'application/json': { schema, example: createExampleBody(name) } };
  return { requestBody: { required: true, content } };
};

/** Descriptions of the statuses of successful answers. */
const DONE = { 200: 'The answer.', 201: 'The answer; it is there now.' } as const;

const createResponses = (name: OperationName): JsonSchema => {
  const { status } = OPERATIONS[name];
  const answer = { schema: resolveAnswerReference(name), example: OPERATION_EXAMPLES[name].output };
  return Object.fromEntries([
    [String(status), { description: DONE[status], content: { 'application/json': answer } }],
    ...listOperationRefusals(OPERATIONS[name]).map((kind) => [
      String(kind.status),
      { $ref: `#/components/responses/${kind.name}` },
    ]),
  ]) as JsonSchema;
};

/** An operation as OpenAPI describes it, with the name and the hints of its MCP tool. */
const createOperationItem = (name: OperationName): JsonSchema => {
  const { title, description, route, hints } = OPERATIONS[name];
  const inUrl = listParameters(name);
  return {
    operationId: toMethodName(name),
    tags: [resolveTag(route)],
    summary: title,
    description,
    'x-mcp-tool': name,
    'x-mcp-hints': hints,
    ...(inUrl.length === 0 ? {} : { parameters: inUrl }),
    ...requestBody(name),
    responses: createResponses(name),
  };
};

/** The facts of the document that are not in the table of operations. */
export interface OpenApiOptions {
  /** Version of agent-manager. */
  readonly version: string;
  /** Address in front of the routes, such as `http://127.0.0.1:8080`. Left out: where the document itself is. */
  readonly serverUrl?: string;
}

/** An OpenAPI 3.1 document as plain JSON. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
  /** Alternatives, one of which a request satisfies. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

const ABOUT = `Agents with a toolset. Each operation is also an MCP tool at \`/mcp\`, named by \`x-mcp-tool\`, with the same arguments and answers.

A refusal has the same body everywhere. Unknown paths are refused with 404, other methods of a known path with 405 and \`Allow\`, bodies above ${MAX_BODY_BYTES} bytes with 413. Unknown fields are refused; \`null\` counts as left out. Answers may have more fields than are described.`;

const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Token of a trusted issuer. Required where agent-manager runs with `--enable-oauth`; a request without one is answered with 401 and the URL of the metadata (RFC 9728).',
  },
};

const names = Object.keys(OPERATIONS) as OperationName[];

const listTags = (): readonly { readonly name: string }[] =>
  [...new Set(names.map((name) => resolveTag(OPERATIONS[name].route)))]
    .toSorted()
    .map((name) => ({ name }));

const createPaths = (): Readonly<Record<string, JsonSchema>> => {
  const items = new Map<string, Record<string, unknown>>();
  for (const name of names) {
    const { route, method } = OPERATIONS[name];
    const item = items.get(route) ?? {};
    item[method.toLowerCase()] = createOperationItem(name);
    items.set(route, item);
  }
  return Object.fromEntries([...items].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/**
 * The operations as an OpenAPI 3.1 document. The same for the same options, its keys in the same order.
 *
 * @spec §4.4
 */
export const createOpenApiDocument = ({
  version,
  serverUrl = '/',
}: OpenApiOptions): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'agent-manager',
    version,
    description: ABOUT,
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: serverUrl }],
  tags: listTags(),
  paths: createPaths(),
  components: {
    schemas: createComponentSchemas(),
    responses: createRefusalResponses(),
    securitySchemes: SECURITY_SCHEMES,
  },
  security: [{ token: [] }, {}],
});
