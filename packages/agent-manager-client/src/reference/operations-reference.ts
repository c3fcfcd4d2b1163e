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

/** A line of text. A link points to the section of the same name. */
export type InlineText = readonly InlinePart[];

/** Returns one part of plain text. */
const toPlainText = (text: string): InlinePart => ({ text, kind: 'text' });

/** Parses a text in which backticks mark code. */
const parseCodeSpans = (text: string): InlineText =>
  text
    .split('`')
    .map((part, at): InlinePart => ({ text: part, kind: at % 2 === 1 ? 'code' : 'text' }))
    .filter((part) => part.text !== '');

const toSchema = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined;

/** Returns the schema name at the end of a `$ref`. */
const readReferenceName = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

const listTypes = ({ type }: JsonSchema): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((item): item is string => typeof item === 'string');

const formatAllowedValues = (schema: JsonSchema): InlineText | undefined => {
  const values = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  const only = 'const' in schema ? [schema['const']] : values;
  return only && [toPlainText(only.map((value) => JSON.stringify(value)).join(' or '))];
};

const formatTypeName = (type: string, schema: JsonSchema): InlineText => {
  const items = toSchema(schema['items']);
  if (type === 'array' && items !== undefined)
    return [toPlainText('list of '), ...formatSchemaType(items)];
  const values = toSchema(schema['additionalProperties']);
  if (type !== 'object' || values === undefined) return [toPlainText(type)];
  return Object.keys(values).length === 0
    ? [toPlainText('map of any value')]
    : [toPlainText('map of '), ...formatSchemaType(values)];
};

/** Returns the type of a schema as text, with a link where it has a name. */
const formatSchemaType = (schema: JsonSchema): InlineText => {
  const name = readReferenceName(schema);
  if (name !== undefined) return [{ text: name, kind: 'link' }];
  const values = formatAllowedValues(schema);
  if (values !== undefined) return values;
  return listTypes(schema).flatMap((type, at) => [
    ...(at === 0 ? [] : [toPlainText(' or ')]),
    ...formatTypeName(type, schema),
  ]);
};

/** A field of an object or of a nested object, with its path: `skills.gitRefs[].url`. */
interface SchemaField {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Returns the fields of a nested object, or of the objects in a list. */
const listNestedFields = (path: string, schema: JsonSchema): readonly SchemaField[] => {
  if (toSchema(schema['properties']) !== undefined) return listSchemaFields(schema, `${path}.`);
  const items = toSchema(schema['items']);
  return items === undefined ? [] : listNestedFields(`${path}[]`, items);
};

/** Returns all fields of an object schema, in declaration order. */
const listSchemaFields = (schema: JsonSchema, prefix = ''): readonly SchemaField[] => {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(toSchema(schema['properties']) ?? {}).flatMap(([name, value]) => {
    const field = toSchema(value) ?? {};
    const path = prefix + name;
    return [
      { path, schema: field, isRequired: required.includes(name) },
      ...listNestedFields(path, field),
    ];
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
const toReferenceField = (
  { path, schema, isRequired }: SchemaField,
  location?: string,
): ReferenceField => ({
  path,
  type: formatSchemaType(schema),
  isRequired,
  ...(location !== undefined && { location }),
  description: parseCodeSpans(
    typeof schema['description'] === 'string' ? schema['description'] : '',
  ),
});

const formatIndentedJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Quotes a text as one word of a shell. */
const quoteShellWord = (text: string): string =>
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
  const start = `curl -sS${verb} ${quoteShellWord(serverUrl + target)}`;
  if (body === undefined) return start;
  return [
    start,
    "-H 'Content-Type: application/json'",
    `-d ${quoteShellWord(formatIndentedJson(JSON.parse(body)))}`,
  ].join(' \\\n  ');
};

/** Returns the example of an operation as the message of an MCP client. */
const formatMcpExample = (name: OperationName): string =>
  formatIndentedJson({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: OPERATION_EXAMPLES[name].input },
  });

/** Returns the answer of the example: the body of a REST response, or the text of an MCP result. */
const formatAnswerExample = (name: OperationName): string =>
  formatIndentedJson(OPERATION_EXAMPLES[name].output);

const HINT_TEXTS: Readonly<Record<keyof OperationHints, string>> = {
  readOnlyHint: 'read-only',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'calls other services',
};

const formatHints = (hints: OperationHints): string =>
  (Object.keys(HINT_TEXTS) as (keyof OperationHints)[])
    .filter((hint) => hints[hint])
    .map((hint) => HINT_TEXTS[hint])
    .join(', ');

/** Returns the part of a REST request that carries an argument, for example `in the path`. */
const formatLocation = (name: OperationName, argument: string): string => {
  const { route, query, method } = OPERATIONS[name];
  if (listPathArguments(route).includes(argument)) return 'in the path';
  const inQuery = query.some((known: string) => known === argument) ? ['query'] : [];
  const inBody = method === 'POST' || method === 'PATCH' ? ['body'] : [];
  return `in the ${[...inQuery, ...inBody].join(' or the ')}`;
};

/** Returns the arguments of an operation, required ones first. */
const listArgumentFields = (name: OperationName): readonly ReferenceField[] => {
  const schema = toInputSchema(name);
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = listSchemaFields(schema).map((field) => {
    const [argument = ''] = /^[^.[]+/.exec(field.path) ?? [];
    const location = field.path === argument ? formatLocation(name, argument) : undefined;
    return { field: toReferenceField(field, location), rank: required.includes(argument) ? 0 : 1 };
  });
  return fields.toSorted((a, b) => a.rank - b.rank).map(({ field }) => field);
};

/** An operation on a reference page. */
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
  /** An example call as a curl command and as an MCP message, with its answer. */
  readonly example: { readonly curl: string; readonly mcp: string; readonly answer: string };
}

/**
 * Describes one operation: how to call it, its arguments, its answer, its refusals and one example.
 *
 * @param serverUrl base URL of the routes
 */
const toReferenceOperation = (name: OperationName, serverUrl: string): ReferenceOperation => {
  const operation = OPERATIONS[name];
  const { title, method, route, status } = operation;
  return {
    name,
    title,
    method,
    route,
    hints: formatHints(operation.hints),
    description: parseCodeSpans(operation.description),
    arguments: listArgumentFields(name),
    status,
    answer: formatSchemaType(resolveAnswerReference(name)),
    refusals: listOperationRefusals(operation).map(({ status: code, example }) => ({
      status: code,
      code: example.code,
    })),
    example: {
      curl: formatCurlExample(name, serverUrl),
      mcp: formatMcpExample(name),
      answer: formatAnswerExample(name),
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
const isReadOperation = (name: OperationName): boolean => OPERATIONS[name].hints.readOnlyHint;

const GROUPS: readonly { readonly title: string; readonly names: readonly OperationName[] }[] = [
  { title: 'Reading', names: names.filter(isReadOperation) },
  { title: 'Writing', names: names.filter((name) => !isReadOperation(name)) },
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
    operations: group.names.map((name) => toReferenceOperation(name, serverUrl)),
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
      fields: listSchemaFields(schema).map((field) => toReferenceField(field)),
    })),
});
