import { OPERATIONS, type OperationName } from '../operations/operations.ts';

/** Decoded arguments of the path, by their names in the braces of the route. */
export type PathArguments = Readonly<Record<string, string>>;

/** The target of a method and a path. */
export type FoundOperation =
  | { readonly kind: 'operation'; readonly name: OperationName; readonly path: PathArguments }
  /** There is such a path, not for this method. `allow`: the methods that it has, sorted. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

interface Route {
  readonly segments: readonly string[];
  readonly methods: ReadonlyMap<string, OperationName>;
}

const routes = (): readonly Route[] => {
  const found = new Map<string, Map<string, OperationName>>();
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const { method, route } = OPERATIONS[name];
    found.set(route, (found.get(route) ?? new Map<string, OperationName>()).set(method, name));
  }
  return [...found].map(([route, methods]) => ({ segments: route.split('/'), methods }));
};

const ROUTES = routes();

const placeholder = (segment: string): string | undefined =>
  segment.startsWith('{') ? segment.slice(1, -1) : undefined;

/** Percent-decoded; `undefined` for nothing and for what is not encoded UTF-8. */
const decoded = (segment: string): string | undefined => {
  try {
    return segment === '' ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** The arguments that segments give a route; `undefined` where they are of another route. */
const argumentsIn = (
  route: readonly string[],
  segments: readonly string[],
): PathArguments | undefined => {
  if (route.length !== segments.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, expected] of route.entries()) {
    const segment = segments[index] ?? '';
    const argument = placeholder(expected);
    const value = argument === undefined ? segment : decoded(segment);
    if (value === undefined || (argument === undefined && segment !== expected)) return undefined;
    if (argument !== undefined) found[argument] = value;
  }
  return found;
};

/**
 * The operation that a request asks for. Methods and paths are exact: capitals count, a slash at the end is another path.
 *
 * @param pathname encoded, from the server's root, without the query
 * @spec §4.4
 */
export const findOperation = (method: string, pathname: string): FoundOperation => {
  const segments = pathname.split('/');
  for (const { segments: route, methods } of ROUTES) {
    const path = argumentsIn(route, segments);
    if (path === undefined) continue;
    const name = methods.get(method);
    return name === undefined
      ? { kind: 'method', allow: [...methods.keys()].toSorted() }
      : { kind: 'operation', name, path };
  }
  return { kind: 'unknown' };
};
