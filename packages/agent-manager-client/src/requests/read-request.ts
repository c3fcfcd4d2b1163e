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
import { type ClientOutcome, formatShown, refuse } from '../refusals/refusal.ts';
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

const invalid = (reason: string) => refuse('invalid_request', reason);

/**
 * The arguments in a query. Refused, in the words in which an MCP call is: one that the operation does not take there, one that is
 * given twice, a boolean that is neither `true` nor `false`.
 *
 * @param query what follows the question mark, encoded
 */
const parseQuery = (name: OperationName, query: string): ClientOutcome<QueryArguments> => {
  const taken: readonly string[] = OPERATIONS[name].query;
  const found: Record<string, string | boolean> = {};
  for (const [key, text] of new URLSearchParams(query)) {
    if (!taken.includes(key)) return invalid(formatProblem(createUnknownFieldProblem(key)));
    if (Object.hasOwn(found, key)) return invalid(`query parameter ${key} is given more than once`);
    const value = isBooleanArgument(name, key) ? BOOLEANS.get(text) : text;
    if (value === undefined) return invalid(formatProblem(toFieldProblem(key, NOT_BOOLEAN)));
    found[key] = value;
  }
  return { ok: true, value: found };
};

type Fields = Readonly<Record<string, unknown>>;

const bodyArguments = (name: OperationName, body: Uint8Array): ClientOutcome<Fields> => {
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

/** A body may repeat an argument of the path with the same value only. */
const contradiction = (path: PathArguments, body: Fields): string | undefined => {
  for (const [key, value] of Object.entries(path)) {
    const again = body[key];
    if (typeof again === 'string' && again !== value)
      return `${key} ${formatShown(again)} in the body is not ${formatShown(value)} in the path`;
  }
  return undefined;
};

const isTrueIn = (fields: Fields, key: string): boolean => fields[key] === true;

/** The query over the body; what is true in either is true. */
const merged = (body: Fields, query: Fields): Fields => ({
  ...body,
  ...Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, isTrueIn(body, key) || value]),
  ),
});

/**
 * The arguments of a request over REST, as {@link parseArguments} gives those of an MCP call. Never throws.
 *
 * @spec §4.4
 */
export const readRequest = <Name extends OperationName>(
  name: Name,
  { path, query, body }: HttpRequest,
): ClientOutcome<OperationDraft<Name>> => {
  const inQuery = parseQuery(name, query);
  if (!inQuery.ok) return inQuery;
  const inBody = bodyArguments(name, body);
  if (!inBody.ok) return inBody;
  const reason = contradiction(path, inBody.value);
  if (reason !== undefined) return refuse('invalid_request', reason);
  const draft = { ...merged(inBody.value, inQuery.value), ...path };
  return { ok: true, value: draft as unknown as OperationDraft<Name> };
};
