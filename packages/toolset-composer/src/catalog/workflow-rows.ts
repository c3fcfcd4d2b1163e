import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import type { CatalogTool } from '../answers/catalog-tool.ts';
import type { CatalogRow } from './catalog-row.ts';

/** The number of workflows up to which they are shown as one list. */
const MAX_UNGROUPED = 12;

const PREFIX = /^([^-_]+)[-_]/u;

const rowOf = (name: string, tools: readonly CatalogTool[]): CatalogRow => ({
  kind: 'workflows',
  name,
  tools,
  signIn: [],
  servers: [],
});

const byPrefix = (tools: readonly CatalogTool[]): ReadonlyMap<string, CatalogTool[]> => {
  const groups = new Map<string, CatalogTool[]>();
  for (const tool of tools) {
    const name = tool.name.startsWith(WORKFLOW_TOOL_PREFIX)
      ? tool.name.slice(WORKFLOW_TOOL_PREFIX.length)
      : '';
    const prefix = PREFIX.exec(name)?.[1] ?? '';
    const group = groups.get(prefix);
    if (group === undefined) groups.set(prefix, [tool]);
    else group.push(tool);
  }
  return groups;
};

/**
 * Returns the rows of workflows that are sorted by name: one row for up to 12 workflows; otherwise a row for each prefix that several
 * names share, and one without a name for the others, which is last.
 */
export const workflowRows = (tools: readonly CatalogTool[]): readonly CatalogRow[] => {
  if (tools.length === 0) return [];
  if (tools.length <= MAX_UNGROUPED) return [rowOf('', tools)];
  const groups = [...byPrefix(tools)].filter(([prefix, { length }]) => prefix !== '' && length > 1);
  const inGroups = new Set(groups.flatMap(([, members]) => members));
  const others = tools.filter((tool) => !inGroups.has(tool));
  const rows = groups.map(([prefix, members]) => rowOf(prefix, members));
  return others.length === 0 ? rows : [...rows, rowOf('', others)];
};
