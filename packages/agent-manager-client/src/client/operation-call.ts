import { MAX_BODY_BYTES } from '../limits.ts';
import { OPERATIONS, type OperationInput, type OperationName } from '../operations/operations.ts';
import type { HttpCall } from '../requests/http-request.ts';
import { failed, type Failed } from './client-answer.ts';

type Argument = readonly [name: string, value: unknown];

const PLACEHOLDER = /\{(\w+)\}/g;

/** Arguments that stand in the path of a route, in its order. */
export const pathArguments = (route: string): readonly string[] =>
  [...route.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '');

const encoded = (value: unknown): string =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));

const queryOf = (given: readonly Argument[]): string =>
  given
    .map(([name, value], at) => `${at === 0 ? '?' : '&'}${encoded(name)}=${encoded(value)}`)
    .join('');

/** @throws {URIError} when a text of the URL is not Unicode; {TypeError} when a value has no JSON */
const written = (name: OperationName, given: readonly Argument[]): HttpCall => {
  const { method, route, query } = OPERATIONS[name];
  const inPath = pathArguments(route);
  const values = new Map(given);
  const others = given.filter(([argument]) => !inPath.includes(argument));
  const hasBody = method === 'POST' || method === 'PATCH';
  // An argument that the operation does not know is sent too: refusing it is agent-manager's.
  const isInQuery = ([argument]: Argument) =>
    !hasBody || query.some((known: string) => known === argument);
  const body = Object.fromEntries(others.filter((argument) => !isInQuery(argument)));
  return {
    method,
    target:
      route.replace(PLACEHOLDER, (_, argument: string) => encoded(values.get(argument))) +
      queryOf(others.filter(isInQuery)),
    body: hasBody ? JSON.stringify(body) : undefined,
  };
};

/** What no URL can say as a segment of its path, encoded or not: it resolves to another path. */
const isNoSegment = (value: unknown): boolean =>
  typeof value !== 'string' || ['', '.', '..'].includes(value);

const unsendable = (reason: string): Failed => failed('unsendable', reason);

const reasonOf = (thrown: unknown): string =>
  thrown instanceof URIError
    ? 'the arguments have a text that is not Unicode'
    : `the arguments have no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`;

/**
 * The request that asks for an operation, or why it cannot be written. Whether the arguments are right is not judged here:
 * agent-manager does that, in its own words.
 */
export const operationCall = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
): { readonly ok: true; readonly value: HttpCall } | Failed => {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const values = new Map<string, unknown>(given);
  const missing = pathArguments(OPERATIONS[name].route).find((key) => isNoSegment(values.get(key)));
  if (missing !== undefined)
    return unsendable(
      `${missing} stands in the path: it must be a text other than "", "." and ".."`,
    );
  try {
    const call = written(name, given);
    const bytes = new TextEncoder().encode(call.body).length;
    return bytes <= MAX_BODY_BYTES
      ? { ok: true, value: call }
      : unsendable(`the arguments take ${bytes} bytes, more than the ${MAX_BODY_BYTES} of a body`);
  } catch (thrown) {
    return unsendable(reasonOf(thrown));
  }
};
