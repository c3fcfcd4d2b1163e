import type { CatalogTool } from '@gateway/catalog';
import type { RequestContext } from '../scope/request-context.ts';

/** The tools of the request's catalog in its order: the toolset's, or all without one. @spec §4.2 */
export const visibleTools = ({
  snapshot,
  scope,
}: Pick<RequestContext, 'snapshot' | 'scope'>): readonly CatalogTool[] =>
  scope === undefined ? snapshot.tools : scope.selection.tools;
