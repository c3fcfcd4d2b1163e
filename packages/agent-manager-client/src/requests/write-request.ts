import {
  type OperationInput,
  type OperationName,
  OPERATIONS,
  listPathArguments,
} from '../operations/operations.ts';
import { type ClientOutcome, formatQuotedName, refuse } from '../refusals/refusal.ts';
import { hasBody, type HttpCall } from './find-operation.ts';

type Fields = readonly (readonly [argument: string, value: unknown])[];

const PLACEHOLDER = /\{(\w+)\}/g;

/** Values that a path segment cannot represent: URLs resolve dots. */
const UNUSABLE_SEGMENT = /^\.{0,2}$/;

/** URLs cannot encode an unpaired surrogate. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** Returns the location of each argument. Unknown arguments are sent too: agent-manager refuses them. */
const splitArguments = (
  name: OperationName,
  given: ReadonlyMap<string, unknown>,
  namespace: string,
) => {
  const { route, query } = OPERATIONS[name];
  const inPath = listPathArguments(route);
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

const encodeValue = (value: unknown): string =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));

const encodeQuery = (fields: Fields): string =>
  fields.length === 0
    ? ''
    : `?${fields.map((field) => field.map(encodeValue).join('=')).join('&')}`;

/** Returns the reason why a URL cannot carry the arguments; undefined when it can. */
const findUnsendableReason = (
  path: ReadonlyMap<string, unknown>,
  query: Fields,
): string | undefined => {
  for (const [argument, value] of [...path, ...query]) {
    if (typeof value !== 'string') continue;
    if (UNPAIRED_SURROGATE.test(value) || (path.has(argument) && UNUSABLE_SEGMENT.test(value)))
      return `${argument} ${formatQuotedName(value)} cannot stand in an address`;
  }
  return undefined;
};

/**
 * Returns the REST request of an operation, which `findOperation` and `readRequest` parse back to the same arguments. Arguments
 * are validated only as far as a URL requires; `null` is not sent. Throws when a value cannot be represented in JSON.
 *
 * @param defaults.namespace used in the path when the input has none
 * @spec §4.4
 */
export const writeRequest = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  defaults: { readonly namespace: string },
): ClientOutcome<HttpCall> => {
  const { method, route } = OPERATIONS[name];
  const given = Object.entries<unknown>(input).filter(
    ([, value]) => (value ?? undefined) !== undefined,
  );
  const { path, query, body } = splitArguments(name, new Map(given), defaults.namespace);
  const reason = findUnsendableReason(path, query);
  if (reason !== undefined) return refuse('invalid_request', reason);
  const pathname = route.replace(PLACEHOLDER, (_, argument: string) =>
    encodeValue(path.get(argument)),
  );
  return {
    ok: true,
    value: {
      method,
      target: pathname + encodeQuery(query),
      body: hasBody(name) ? JSON.stringify(Object.fromEntries(body)) : undefined,
    },
  };
};
