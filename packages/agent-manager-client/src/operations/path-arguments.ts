/** The arguments that stand in the path of a route, in its order. */
export const pathArguments = (route: string): readonly string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
