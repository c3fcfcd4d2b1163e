import type { CatalogTool, ToolKind } from '../answers/catalog-tool.ts';
import { catalogSections, type CatalogFacts } from './catalog-sections.ts';
import type { ToolGroup } from './tool-group.ts';

/** The annotations of a tool that a filter distinguishes: each tool has exactly one. `other` is neither of the others. @spec §2.4 */
export type ToolHint = 'read-only' | 'destructive' | 'other';

/** The hints in the order in which they are offered, with their names. */
export const TOOL_HINTS: readonly { readonly hint: ToolHint; readonly label: string }[] = [
  { hint: 'read-only', label: 'Read-only' },
  { hint: 'destructive', label: 'Destructive' },
  { hint: 'other', label: 'Neither' },
];

/** The kinds in the order in which they are offered, with their names. @spec §1.3 */
export const TOOL_KINDS: readonly { readonly kind: ToolKind; readonly label: string }[] = [
  { kind: 'tool', label: 'Tools of servers' },
  { kind: 'workflow', label: 'Workflows' },
  { kind: 'core', label: 'Core tools' },
];

/** The tools that a person requests; every part narrows. */
export interface ToolFilter {
  readonly group?: ToolGroup;
  /** The name of a server or family. */
  readonly server?: string;
  readonly kind?: ToolKind;
  readonly hint?: ToolHint;
}

/** Returns the hint of a tool. */
export const hintOfTool = ({
  isReadOnly,
  isDestructive,
}: Pick<CatalogTool, 'isReadOnly' | 'isDestructive'>): ToolHint => {
  if (isReadOnly) return 'read-only';
  return isDestructive ? 'destructive' : 'other';
};

const namesInGroup = (facts: CatalogFacts, group: ToolGroup): ReadonlySet<string> =>
  new Set(
    catalogSections(facts)
      .filter((section) => section.group === group)
      .flatMap(({ rows }) => rows.flatMap(({ tools }) => tools.map(({ name }) => name))),
  );

/** Returns the tools that pass every part of a filter, in their order. */
export const filterTools = (facts: CatalogFacts, filter: ToolFilter): readonly CatalogTool[] => {
  const { group, server, kind, hint } = filter;
  const names = group === undefined ? undefined : namesInGroup(facts, group);
  return facts.tools.filter(
    (tool) =>
      (names === undefined || names.has(tool.name)) &&
      (server === undefined || tool.server === server) &&
      (kind === undefined || tool.kind === kind) &&
      (hint === undefined || hintOfTool(tool) === hint),
  );
};

/** Returns the names of the servers and families that tools are of, sorted. */
export const serversOfTools = (tools: readonly CatalogTool[]): readonly string[] =>
  [...new Set(tools.flatMap(({ server }) => server ?? []))].toSorted();
