import type { RequestContext } from './request-context.ts';

/**
 * Returns the items whose server is inside the request's toolset; all of them without a toolset. Each server is looked up once.
 *
 * @spec §4.2
 */
export const insideToolset = <T extends { readonly server: string }>(
  items: readonly T[],
  { scope }: Pick<RequestContext, 'scope'>,
): readonly T[] => {
  if (scope === undefined) return items;
  const known = new Map<string, boolean>();
  return items.filter(({ server }) => {
    const inside = known.get(server) ?? scope.selection.hasServer(server);
    known.set(server, inside);
    return inside;
  });
};
