import { MAX_BODY_BYTES } from '../limits.ts';
import { componentSchemas } from '../openapi/component-schemas.ts';
import { ALL_REFUSAL_KINDS } from '../openapi/refusal-responses.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { parseCodeSpans, type InlineText } from './inline-text.ts';
import { referenceField, type ReferenceField } from './reference-field.ts';
import { referenceOperation, type ReferenceOperation } from './reference-operation.ts';
import { schemaFields } from './schema-type.ts';

/** The facts of a reference page that are not in the table of operations. */
export interface OperationsReferenceOptions {
  /** Version of agent-manager. */
  readonly version: string;
  /** Address in front of the routes, for the examples. Default: `http://127.0.0.1:8080`. */
  readonly serverUrl?: string;
  /** Address of the OpenAPI document, relative to the page. Default: `openapi.yaml`. */
  readonly openApiUrl?: string;
}

/** The content of a reference page, as plain data. */
export interface OperationsReference {
  readonly version: string;
  readonly openApiUrl: string;
  /** Paragraphs that explain how operations are called. */
  readonly calling: readonly InlineText[];
  readonly groups: readonly {
    readonly title: string;
    readonly operations: readonly ReferenceOperation[];
  }[];
  readonly refusals: readonly {
    readonly status: number;
    readonly code: string;
    readonly description: InlineText;
    /** The message of an example. */
    readonly message: string;
  }[];
  readonly schemas: readonly {
    readonly name: string;
    readonly fields: readonly ReferenceField[];
  }[];
}

const names = Object.keys(OPERATIONS) as OperationName[];
const isReading = (name: OperationName): boolean => OPERATIONS[name].hints.readOnlyHint;

const GROUPS: readonly { readonly title: string; readonly names: readonly OperationName[] }[] = [
  { title: 'Reading', names: names.filter(isReading) },
  { title: 'Writing', names: names.filter((name) => !isReading(name)) },
];

const CALLING = [
  'Every operation is a REST route and an MCP tool with the same arguments, answers and refusals. MCP is served at `/mcp`. Behind a gateway the tools are named `x_agent-manager_create_agent` and so on.',
  `Over REST, arguments are part of the path, of the query or of a JSON body of at most ${MAX_BODY_BYTES} bytes. Unknown arguments are refused; \`null\` counts as absent. Arguments in the path are required. Over MCP all arguments are members of one object.`,
  'A refusal over REST is `{"error": {"code", "message"}}` with its own status, over MCP a result with `isError` and the text `code: message`. An unknown path is refused with 404, another method of a known path with 405.',
  'Answers may have more fields than are listed here.',
];

/**
 * Describes all operations, their refusals and their schemas, generated from the table of operations.
 *
 * @spec §4.4
 */
export const operationsReference = ({
  version,
  serverUrl = 'http://127.0.0.1:8080',
  openApiUrl = 'openapi.yaml',
}: OperationsReferenceOptions): OperationsReference => ({
  version,
  openApiUrl,
  calling: CALLING.map(parseCodeSpans),
  groups: GROUPS.map((group) => ({
    title: group.title,
    operations: group.names.map((name) => referenceOperation(name, serverUrl)),
  })),
  refusals: ALL_REFUSAL_KINDS.map(({ status, description, example }) => ({
    status,
    code: example.code,
    description: parseCodeSpans(description),
    message: example.message,
  })),
  // Each operation lists its own arguments; schemas of bodies would repeat them.
  schemas: Object.entries(componentSchemas())
    .filter(([name]) => !name.endsWith('Body'))
    .map(([name, schema]) => ({
      name,
      fields: schemaFields(schema).map((field) => referenceField(field)),
    })),
});
