import { MAX_BODY_BYTES } from '../limits.ts';
import type { JsonSchema } from '../operations/operation-schemas.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { componentSchemas } from './component-schemas.ts';
import { operationItem, tagOf } from './operation-item.ts';
import { refusalResponses } from './refusal-responses.ts';

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

const tags = (): readonly { readonly name: string }[] =>
  [...new Set(names.map((name) => tagOf(OPERATIONS[name].route)))]
    .toSorted()
    .map((name) => ({ name }));

const paths = (): Readonly<Record<string, JsonSchema>> => {
  const items = new Map<string, Record<string, unknown>>();
  for (const name of names) {
    const { route, method } = OPERATIONS[name];
    const item = items.get(route) ?? {};
    item[method.toLowerCase()] = operationItem(name);
    items.set(route, item);
  }
  return Object.fromEntries([...items].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/**
 * The operations as an OpenAPI 3.1 document. The same for the same options, its keys in the same order.
 *
 * @spec §4.4
 */
export const openApiDocument = ({ version, serverUrl = '/' }: OpenApiOptions): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'agent-manager',
    version,
    description: ABOUT,
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: serverUrl }],
  tags: tags(),
  paths: paths(),
  components: {
    schemas: componentSchemas(),
    responses: refusalResponses(),
    securitySchemes: SECURITY_SCHEMES,
  },
  security: [{ token: [] }, {}],
});
