import type { OperationName } from '../operations/operations.ts';

/** Arguments that stand in the path, by their names in the braces of the route; decoded. */
export type PathArguments = Readonly<Record<string, string>>;

/** What a method and a path ask for. */
export type FoundOperation =
  | { readonly kind: 'operation'; readonly name: OperationName; readonly path: PathArguments }
  /** There is such a path, not for this method. `allow`: the methods it takes, sorted. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };
