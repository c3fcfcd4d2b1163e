import type { OperationDraft } from '../arguments/operation-draft.ts';
import { parseArguments } from '../arguments/parse-arguments.ts';
import type { OperationName } from '../operations/operations.ts';
import { refused, type Answer } from '../refusals/refusal.ts';
import { formatShown } from '../refusals/shown.ts';
import type { PathArguments } from './find-operation.ts';
import { hasBody } from './has-body.ts';
import type { HttpRequest } from './http-request.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { parseQuery } from './parse-query.ts';

type Fields = Readonly<Record<string, unknown>>;

const bodyArguments = (name: OperationName, body: Uint8Array): Answer<Fields> => {
  if (hasBody(name)) {
    const json = parseJsonBody(body);
    return json.ok ? parseArguments(name, json.value) : json;
  }
  return body.length === 0
    ? { ok: true, value: {} }
    : refused(
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
): Answer<OperationDraft<Name>> => {
  const inQuery = parseQuery(name, query);
  if (!inQuery.ok) return inQuery;
  const inBody = bodyArguments(name, body);
  if (!inBody.ok) return inBody;
  const reason = contradiction(path, inBody.value);
  if (reason !== undefined) return refused('invalid_request', reason);
  const draft = { ...merged(inBody.value, inQuery.value), ...path };
  return { ok: true, value: draft as unknown as OperationDraft<Name> };
};
