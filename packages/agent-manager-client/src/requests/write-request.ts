import { OPERATIONS, type OperationInput, type OperationName } from '../operations/operations.ts';
import { pathArguments } from '../operations/path-arguments.ts';
import { refused, type Answer } from '../refusals/refusal.ts';
import { shown } from '../refusals/shown.ts';
import { hasBody } from './has-body.ts';
import type { HttpCall } from './http-request.ts';

type Fields = readonly (readonly [argument: string, value: unknown])[];

const PLACEHOLDER = /\{(\w+)\}/g;

/** What no segment of a path can say: URLs take dots as steps. */
const NO_SEGMENT = /^\.{0,2}$/;

/** Addresses cannot encode half a character. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Where each argument stands. One that the operation does not have is sent all the same: refusing it is agent-manager's. */
const placed = (name: OperationName, given: ReadonlyMap<string, unknown>, namespace: string) => {
  const { route, query } = OPERATIONS[name];
  const inPath = pathArguments(route);
  const inQuery: ReadonlySet<string> = new Set(query);
  const others = [...given].filter(([argument]) => !inPath.includes(argument));
  const isQuery = ([argument]: Fields[number]) => !hasBody(name) || inQuery.has(argument);
  const absent = (argument: string) => (argument === 'namespace' ? namespace : '');
  return {
    path: new Map(inPath.map((argument) => [argument, given.get(argument) ?? absent(argument)])),
    query: others.filter(isQuery),
    body: others.filter((field) => !isQuery(field)),
  };
};

const encodedText = (value: unknown): string =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));

const encodedQuery = (fields: Fields): string =>
  fields.length === 0
    ? ''
    : `?${fields.map((field) => field.map(encodedText).join('=')).join('&')}`;

/** The first text that an address cannot carry. */
const unsendable = (path: ReadonlyMap<string, unknown>, query: Fields): string | undefined => {
  for (const [argument, value] of [...path, ...query]) {
    if (typeof value !== 'string') continue;
    if (HALF_CHARACTER.test(value) || (path.has(argument) && NO_SEGMENT.test(value)))
      return `${argument} ${shown(value)} cannot stand in an address`;
  }
  return undefined;
};

/**
 * The request that asks for an operation over REST: what `findOperation` and `readRequest` read back to the same arguments. Arguments
 * are not judged, beyond what an address can say; `null` is not sent. Throws where a value has no JSON.
 *
 * @param defaults.namespace stands in the path where the input has none
 * @spec §4.4
 */
export const writeRequest = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  defaults: { readonly namespace: string },
): Answer<HttpCall> => {
  const { method, route } = OPERATIONS[name];
  const given = Object.entries<unknown>(input).filter(
    ([, value]) => (value ?? undefined) !== undefined,
  );
  const { path, query, body } = placed(name, new Map(given), defaults.namespace);
  const reason = unsendable(path, query);
  if (reason !== undefined) return refused('invalid_request', reason);
  const pathname = route.replace(PLACEHOLDER, (_, argument: string) =>
    encodedText(path.get(argument)),
  );
  return {
    ok: true,
    value: {
      method,
      target: pathname + encodedQuery(query),
      body: hasBody(name) ? JSON.stringify(Object.fromEntries(body)) : undefined,
    },
  };
};
