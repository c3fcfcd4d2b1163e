import { type OperationName, OPERATIONS } from '../operations/operations.ts';

/** Decoded path arguments by name: `name` is the argument of `{name}` in the route. */
export type PathArguments = Readonly<Record<string, string>>;

/** The operation of a method and a path, or the reason why there is none. */
export type FoundOperation =
  | { readonly kind: 'operation'; readonly name: OperationName; readonly path: PathArguments }
  /** The path exists, but not with this method (status 405). `allow`: the methods of the path, sorted. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

interface Route {
  readonly segments: readonly string[];
  readonly methods: ReadonlyMap<string, OperationName>;
}

const listRoutes = (): readonly Route[] => {
  const methodsByRoute = new Map<string, Map<string, OperationName>>();
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const { method, route } = OPERATIONS[name];
    const methods = methodsByRoute.get(route) ?? new Map<string, OperationName>();
    methodsByRoute.set(route, methods.set(method, name));
  }
  return [...methodsByRoute].map(([route, methods]) => ({ segments: route.split('/'), methods }));
};

const ROUTES = listRoutes();

/** Returns `name` for the segment `{name}` of a route. */
const parseArgumentName = (segment: string): string | undefined =>
  segment.startsWith('{') ? segment.slice(1, -1) : undefined;

/** Returns the percent-decoded segment; `undefined` if it is empty or not valid percent-encoded UTF-8. */
const decodeSegment = (segment: string): string | undefined => {
  try {
    return segment === '' ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** Returns the path arguments if the segments match the route, otherwise `undefined`. */
const matchRoute = (
  route: readonly string[],
  segments: readonly string[],
): PathArguments | undefined => {
  if (route.length !== segments.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, expected] of route.entries()) {
    const segment = segments[index] ?? '';
    const argument = parseArgumentName(expected);
    const value = argument === undefined ? segment : decodeSegment(segment);
    if (value === undefined || (argument === undefined && segment !== expected)) return undefined;
    if (argument !== undefined) path[argument] = value;
  }
  return path;
};

/**
 * Returns the operation for the method and path of a REST request. Both are compared exactly: the comparison is case-sensitive,
 * and a trailing slash is significant.
 *
 * @param pathname percent-encoded, from the root of the server, without the query
 * @spec §4.4
 */
export const findOperation = (method: string, pathname: string): FoundOperation => {
  const segments = pathname.split('/');
  for (const { segments: route, methods } of ROUTES) {
    const path = matchRoute(route, segments);
    if (path === undefined) continue;
    const name = methods.get(method);
    return name === undefined
      ? { kind: 'method', allow: [...methods.keys()].toSorted() }
      : { kind: 'operation', name, path };
  }
  return { kind: 'unknown' };
};

/** The parts of a REST request that carry its arguments. */
export interface HttpRequest {
  readonly path: PathArguments;
  /** The encoded query without the question mark; `''` without a query. */
  readonly query: string;
  /** The bytes of the body; empty without one. */
  readonly body: Uint8Array;
}

/** A REST request to send. */
export interface HttpCall {
  readonly method: string;
  /** From the server's root, encoded, with the query. */
  readonly target: string;
  /** JSON; `undefined` without a body. */
  readonly body: string | undefined;
}

/** Returns whether requests of an operation have a body. */
export const hasBody = (name: OperationName): boolean =>
  OPERATIONS[name].method === 'POST' || OPERATIONS[name].method === 'PATCH';
