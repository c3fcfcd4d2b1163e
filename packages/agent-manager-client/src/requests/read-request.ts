import * as z from 'zod';
import {
  formatProblem,
  type OperationDraft,
  parseArguments,
  toFieldProblem,
  createUnknownFieldProblem,
  createTypeProblem,
} from '../arguments/parse-arguments.ts';
import { type OperationName, OPERATIONS } from '../operations/operations.ts';
import { type ClientOutcome, formatQuotedName, refuse } from '../refusals/refusal.ts';
import { hasBody, type HttpRequest, type PathArguments } from './find-operation.ts';
import { parseJsonBody } from './parse-json-body.ts';

/** Returns whether an argument of an operation is a boolean. */
const isBooleanArgument = (name: OperationName, argument: string): boolean => {
  const shape: z.ZodRawShape = OPERATIONS[name].input.shape;
  const schema = Object.hasOwn(shape, argument) ? shape[argument] : undefined;
  return (schema instanceof z.ZodOptional ? schema.unwrap() : schema) instanceof z.ZodBoolean;
};

type QueryArguments = Readonly<Record<string, string | boolean>>;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const NOT_BOOLEAN = createTypeProblem('a boolean');

const refuseRequest = (reason: string) => refuse('invalid_request', reason);

/**
 * Parses the arguments in a query. Refuses unknown arguments, repeated arguments and invalid booleans with the
 * messages of MCP calls.
 *
 * @param query the encoded text after the question mark
 */
const parseQuery = (name: OperationName, query: string): ClientOutcome<QueryArguments> => {
  const taken: readonly string[] = OPERATIONS[name].query;
  const found: Record<string, string | boolean> = {};
  for (const [key, text] of new URLSearchParams(query)) {
    if (!taken.includes(key)) return refuseRequest(formatProblem(createUnknownFieldProblem(key)));
    if (Object.hasOwn(found, key))
      return refuseRequest(`query parameter ${key} is given more than once`);
    const value = isBooleanArgument(name, key) ? BOOLEANS.get(text) : text;
    if (value === undefined) return refuseRequest(formatProblem(toFieldProblem(key, NOT_BOOLEAN)));
    found[key] = value;
  }
  return { ok: true, value: found };
};

type Fields = Readonly<Record<string, unknown>>;

const parseBodyArguments = (name: OperationName, body: Uint8Array): ClientOutcome<Fields> => {
  if (hasBody(name)) {
    const json = parseJsonBody(body);
    return json.ok ? parseArguments(name, json.value) : json;
  }
  return body.length === 0
    ? { ok: true, value: {} }
    : refuse(
        'invalid_request',
        'no body is taken here; arguments stand in the path and in the query',
      );
};

/** Returns the problem of a body that repeats an argument of the path with another value. */
const findContradiction = (path: PathArguments, body: Fields): string | undefined => {
  for (const [key, value] of Object.entries(path)) {
    const again = body[key];
    if (typeof again === 'string' && again !== value)
      return `${key} ${formatQuotedName(again)} in the body is not ${formatQuotedName(value)} in the path`;
  }
  return undefined;
};

const hasTrue = (fields: Fields, key: string): boolean => fields[key] === true;

/** Merges the arguments of body and query. The query takes precedence, but a flag is true when either is true. */
const mergeArguments = (body: Fields, query: Fields): Fields => ({
  ...body,
  ...Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, hasTrue(body, key) || value]),
  ),
});

/**
 * Reads the arguments of a REST request in the form that {@link parseArguments} returns. Never throws.
 *
 * @spec §4.4
 */
export const readRequest = <Name extends OperationName>(
  name: Name,
  { path, query, body }: HttpRequest,
): ClientOutcome<OperationDraft<Name>> => {
  const inQuery = parseQuery(name, query);
  if (!inQuery.ok) return inQuery;
  const inBody = parseBodyArguments(name, body);
  if (!inBody.ok) return inBody;
  const reason = findContradiction(path, inBody.value);
  if (reason !== undefined) return refuse('invalid_request', reason);
  const draft = { ...mergeArguments(inBody.value, inQuery.value), ...path };
  return { ok: true, value: draft as unknown as OperationDraft<Name> };
};
