import type { RequestContext } from './request-context.ts';

/**
 * Returns the items whose server is inside the request's toolset, and those of no server; all of them without a toolset.
 *
 * @spec §4.2
 */
export const insideToolset = <T extends { readonly server?: string | undefined }>(
  items: readonly T[],
  { scope }: Pick<RequestContext, 'scope'>,
): readonly T[] => {
  if (scope === undefined) return items;
  // Also without items: the first use of a selection computes its servers, and its time must not depend on the items.
  const { servers } = scope.selection;
  return items.filter(({ server }) => server === undefined || servers.has(server));
};
