import { createOperationCall } from '../client/create-agent-manager-client.ts';
import { MAX_BODY_BYTES } from '../limits.ts';
import {
  ALL_REFUSAL_KINDS,
  resolveAnswerReference,
  createComponentSchemas,
  listOperationRefusals,
} from '../openapi/component-schemas.ts';
import { OPERATION_EXAMPLES } from '../openapi/operation-examples.ts';
import {
  toInputSchema,
  type JsonSchema,
  type OperationHints,
  type OperationName,
  OPERATIONS,
  listPathArguments,
} from '../operations/operations.ts';

/** A part of a line of text: plain, code, or a link within the page (`#name`). */
export interface InlinePart {
  readonly text: string;
  readonly kind: 'text' | 'code' | 'link';
}

/** A line of text. A link leads to the section that has its text as name. */
export type InlineText = readonly InlinePart[];

/** Returns one part of plain text. */
const plain = (text: string): InlinePart => ({ text, kind: 'text' });

/** Parses a text in which backticks mark code. */
const parseCodeSpans = (text: string): InlineText =>
  text
    .split('`')
    .map((part, at): InlinePart => ({ text: part, kind: at % 2 === 1 ? 'code' : 'text' }))
    .filter((part) => part.text !== '');

const schemaIn = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined;

/** The name that a reference into the document's schemas ends with. */
const referenceName = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

const typesOf = ({ type }: JsonSchema): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string');

const ofValues = (schema: JsonSchema): InlineText | undefined => {
  const values = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  const only = 'const' in schema ? [schema['const']] : values;
  return only && [plain(only.map((value) => JSON.stringify(value)).join(' or '))];
};

const ofType = (type: string, schema: JsonSchema): InlineText => {
  const items = schemaIn(schema['items']);
  if (type === 'array' && items !== undefined) return [plain('list of '), ...schemaType(items)];
  const values = schemaIn(schema['additionalProperties']);
  if (type !== 'object' || values === undefined) return [plain(type)];
  return Object.keys(values).length === 0
    ? [plain('map of any value')]
    : [plain('map of '), ...schemaType(values)];
};

/** Returns the type of a schema as text, with a link where it has a name. */
const schemaType = (schema: JsonSchema): InlineText => {
  const name = referenceName(schema);
  if (name !== undefined) return [{ text: name, kind: 'link' }];
  const values = ofValues(schema);
  if (values !== undefined) return values;
  return typesOf(schema).flatMap((type, at) => [
    ...(at === 0 ? [] : [plain(' or ')]),
    ...ofType(type, schema),
  ]);
};

/** A field of an object, those of objects in it included, by its path: `skills.gitRefs[].url`. */
interface SchemaField {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The objects in a schema whose fields are shown with it: its own, and those of its items. */
const inner = (path: string, schema: JsonSchema): readonly SchemaField[] => {
  if (schemaIn(schema['properties']) !== undefined) return schemaFields(schema, `${path}.`);
  const items = schemaIn(schema['items']);
  return items === undefined ? [] : inner(`${path}[]`, items);
};

/** All fields of an object schema, in its order. */
const schemaFields = (schema: JsonSchema, prefix = ''): readonly SchemaField[] => {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schemaIn(schema['properties']) ?? {}).flatMap(([name, value]) => {
    const field = schemaIn(value) ?? {};
    const path = prefix + name;
    return [{ path, schema: field, isRequired: required.includes(name) }, ...inner(path, field)];
  });
};

/** A field of an argument list or of a schema. */
export interface ReferenceField {
  /** Path such as `skills.gitRefs[].url`. */
  readonly path: string;
  readonly type: InlineText;
  readonly isRequired: boolean;
  /** Where a request carries it: `in the path`. Absent for fields of objects and of schemas. */
  readonly location?: string;
  readonly description: InlineText;
}

/** Describes a field of a schema. */
const referenceField = (
  { path, schema, isRequired }: SchemaField,
  location?: string,
): ReferenceField => ({
  path,
  type: schemaType(schema),
  isRequired,
  ...(location !== undefined && { location }),
  description: parseCodeSpans(
    typeof schema['description'] === 'string' ? schema['description'] : '',
  ),
});

const indentedJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Quotes a text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Returns the example of an operation as a curl command.
 * @param serverUrl base URL of the routes
 */
export const formatCurlExample = (name: OperationName, serverUrl: string): string => {
  const call = createOperationCall(name, OPERATION_EXAMPLES[name].input);
  if (!call.ok) throw new Error(`the example of ${name}: ${call.error.message}`);
  const { method, target, body } = call.value;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const start = `curl -sS${verb} ${shellWord(serverUrl + target)}`;
  if (body === undefined) return start;
  return [
    start,
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(indentedJson(JSON.parse(body)))}`,
  ].join(' \\\n  ');
};

/** Returns the example of an operation as the message of an MCP client. */
const mcpExample = (name: OperationName): string =>
  indentedJson({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: OPERATION_EXAMPLES[name].input },
  });

/** Returns the answer of the example: the body of a REST response, or the text of an MCP result. */
const answerExample = (name: OperationName): string =>
  indentedJson(OPERATION_EXAMPLES[name].output);

const HINT_TEXTS: Readonly<Record<keyof OperationHints, string>> = {
  readOnlyHint: 'read-only',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'calls other services',
};

const hintText = (hints: OperationHints): string =>
  (Object.keys(HINT_TEXTS) as (keyof OperationHints)[])
    .filter((hint) => hints[hint])
    .map((hint) => HINT_TEXTS[hint])
    .join(', ');

/** Returns the part of a REST request that carries an argument, for example `in the path`. */
const locationOf = (name: OperationName, argument: string): string => {
  const { route, query, method } = OPERATIONS[name];
  if (listPathArguments(route).includes(argument)) return 'in the path';
  const inQuery = query.some((known: string) => known === argument) ? ['query'] : [];
  const inBody = method === 'POST' || method === 'PATCH' ? ['body'] : [];
  return `in the ${[...inQuery, ...inBody].join(' or the ')}`;
};

/** Returns the arguments of an operation, required ones first. */
const argumentFields = (name: OperationName): readonly ReferenceField[] => {
  const schema = toInputSchema(name);
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = schemaFields(schema).map((field) => {
    const [argument = ''] = /^[^.[]+/.exec(field.path) ?? [];
    const location = field.path === argument ? locationOf(name, argument) : undefined;
    return { field: referenceField(field, location), rank: required.includes(argument) ? 0 : 1 };
  });
  return fields.toSorted((a, b) => a.rank - b.rank).map(({ field }) => field);
};

/** One operation as a reference page shows it. */
export interface ReferenceOperation {
  readonly name: OperationName;
  readonly title: string;
  readonly method: string;
  readonly route: string;
  /** Hints such as `read-only, idempotent`; may be empty. */
  readonly hints: string;
  readonly description: InlineText;
  readonly arguments: readonly ReferenceField[];
  readonly status: number;
  readonly answer: InlineText;
  readonly refusals: readonly { readonly status: number; readonly code: string }[];
  /** One call as a command line, as an MCP message, and its answer. */
  readonly example: { readonly curl: string; readonly mcp: string; readonly answer: string };
}

/**
 * Describes one operation: how to call it, its arguments, its answer, its refusals and one example.
 *
 * @param serverUrl base URL of the routes
 */
const referenceOperation = (name: OperationName, serverUrl: string): ReferenceOperation => {
  const operation = OPERATIONS[name];
  const { title, method, route, status } = operation;
  return {
    name,
    title,
    method,
    route,
    hints: hintText(operation.hints),
    description: parseCodeSpans(operation.description),
    arguments: argumentFields(name),
    status,
    answer: schemaType(resolveAnswerReference(name)),
    refusals: listOperationRefusals(operation).map(({ status: code, example }) => ({
      status: code,
      code: example.code,
    })),
    example: {
      curl: formatCurlExample(name, serverUrl),
      mcp: mcpExample(name),
      answer: answerExample(name),
    },
  };
};

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
export const createOperationsReference = ({
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
  schemas: Object.entries(createComponentSchemas())
    .filter(([name]) => !name.endsWith('Body'))
    .map(([name, schema]) => ({
      name,
      fields: schemaFields(schema).map((field) => referenceField(field)),
    })),
});
