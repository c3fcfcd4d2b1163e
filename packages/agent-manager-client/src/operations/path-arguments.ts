/** Returns the arguments in the path of a route, in order. */
export const pathArguments = (route: string): readonly string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
