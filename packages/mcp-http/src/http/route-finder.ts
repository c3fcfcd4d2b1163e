import type { RouteHandler } from './http-listener.ts';

/** A handler of one path, or of all paths with one beginning. */
export interface Route {
  /** A whole path or a prefix. */
  readonly path: string;
  readonly handle: RouteHandler;
}

/** Handlers by path. */
export interface RouteTable {
  readonly routes: Readonly<Record<string, RouteHandler>>;
  readonly prefixes: Readonly<Record<string, RouteHandler>>;
}

const routesOf = (handlers: Readonly<Record<string, RouteHandler>>): readonly Route[] =>
  Object.entries(handlers).map(([path, handle]) => ({ path, handle }));

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
};

/** Returns the function that finds the route of a request target: that of its path, else the longest prefix. */
export const routeFinder = ({
  routes,
  prefixes,
}: RouteTable): ((url: string) => Route | undefined) => {
  const exact = new Map(routesOf(routes).map((route) => [route.path, route]));
  const longestFirst = routesOf(prefixes).toSorted((a, b) => b.path.length - a.path.length);
  return (url) => {
    const path = pathOf(url);
    return exact.get(path) ?? longestFirst.find((route) => path.startsWith(route.path));
  };
};
