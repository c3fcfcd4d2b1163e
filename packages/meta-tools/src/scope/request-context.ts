import type { CallContext } from '@gateway/call-contract';
import type { CatalogSnapshot, CatalogTool } from '@gateway/catalog';
import type { PresetSet } from '@gateway/preset-resolver';
import type { AnswerMemo } from './answer-memo.ts';
import type { MetaToolPorts } from '../contract/ports.ts';
import type { ToolsetScope, ToolsetRequest } from '../contract/meta-tool.ts';

/** Everything that one request works with: one snapshot and one set of presets from its first step to its last. */
export interface MetaToolContext {
  readonly ports: MetaToolPorts;
  readonly apiGroup: string;
  readonly snapshot: CatalogSnapshot;
  readonly presets: PresetSet;
  /** `undefined` without the header: unscoped. @spec §3 */
  readonly scope: ToolsetScope | undefined;
  readonly call: CallContext;
  /** The cached answers about unchanged catalogs. */
  readonly memo: AnswerMemo;
}

/** Returns the context of a request that runs no call: it has no caller and is never cancelled. */
export const idleCallContext = ({ principal, sessionId }: ToolsetRequest): CallContext => ({
  principal,
  sessionId,
  signal: new AbortController().signal,
});

/**
 * Returns the items whose server is inside the request's toolset, and those of no server; all of them without a toolset.
 *
 * @spec §4.2
 */
export const insideToolset = <T extends { readonly server?: string | undefined }>(
  items: readonly T[],
  { scope }: Pick<MetaToolContext, 'scope'>,
): readonly T[] => {
  if (scope === undefined) return items;
  // Also without items: the first use of a selection computes its servers, and its time must not depend on the items.
  const { servers } = scope.selection;
  return items.filter(({ server }) => server === undefined || servers.has(server));
};

/** The tools of the request's catalog in its order: the toolset's, or all without one. @spec §4.2 */
export const visibleTools = ({
  snapshot,
  scope,
}: Pick<MetaToolContext, 'snapshot' | 'scope'>): readonly CatalogTool[] =>
  scope === undefined ? snapshot.tools : scope.selection.tools;
