import { answerReference } from '../openapi/component-schemas.ts';
import { refusalsOf } from '../openapi/refusal-responses.ts';
import type { OperationHints } from '../operations/operation.ts';
import { inputSchemaOf } from '../operations/operation-schemas.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { pathArguments } from '../operations/path-arguments.ts';
import { answerExample, curlExample, mcpExample } from './call-example.ts';
import { parseCodeSpans, type InlineText } from './inline-text.ts';
import { referenceField, type ReferenceField } from './reference-field.ts';
import { schemaFields, schemaType } from './schema-type.ts';

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
  if (pathArguments(route).includes(argument)) return 'in the path';
  const inQuery = query.some((known: string) => known === argument) ? ['query'] : [];
  const inBody = method === 'POST' || method === 'PATCH' ? ['body'] : [];
  return `in the ${[...inQuery, ...inBody].join(' or the ')}`;
};

/** Returns the arguments of an operation, required ones first. */
const argumentFields = (name: OperationName): readonly ReferenceField[] => {
  const schema = inputSchemaOf(name);
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
export const referenceOperation = (name: OperationName, serverUrl: string): ReferenceOperation => {
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
    answer: schemaType(answerReference(name)),
    refusals: refusalsOf(operation).map(({ status: code, example }) => ({
      status: code,
      code: example.code,
    })),
    example: {
      curl: curlExample(name, serverUrl),
      mcp: mcpExample(name),
      answer: answerExample(name),
    },
  };
};
