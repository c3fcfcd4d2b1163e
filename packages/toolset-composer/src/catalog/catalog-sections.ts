import type { CatalogTool } from '../answers/catalog-tool.ts';
import { selectorOfServer } from '../composition/selector-of.ts';
import type { CatalogRow } from './catalog-row.ts';
import { needsSignIn, type CatalogServer } from './catalog-server.ts';
import { groupOfLabels, TOOL_GROUPS, type ToolGroup } from './tool-group.ts';
import { workflowRows } from './workflow-rows.ts';

/** A group of the catalog with its rows, sorted by name; the core tools are last. Groups without rows are left out. */
export interface CatalogSection {
  readonly group: ToolGroup;
  readonly label: string;
  readonly rows: readonly CatalogRow[];
}

/** The parts of the catalog of one person. */
export interface CatalogFacts {
  readonly tools: readonly CatalogTool[];
  readonly servers: readonly CatalogServer[];
  readonly requiringAuth: ReadonlySet<string>;
  /** The domain of the platform's labels; any domain when absent. */
  readonly labelDomain?: string;
}

/** The name of the sub-group of the core tools, which change the gateway for everyone. */
export const CORE_GROUP_LABEL = 'Platform administration';

const byName = (left: { readonly name: string }, right: { readonly name: string }): number => {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
};

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};

/** The servers by the name of their surface, those that only their tools or a missing sign-in name included. */
const surfacesOf = ({
  tools,
  servers,
  requiringAuth,
}: CatalogFacts): ReadonlyMap<string, CatalogServer[]> => {
  const surfaces = new Map(grouped(servers, ({ family, name }) => family ?? name));
  const known = new Set(servers.map(({ name }) => name));
  const named = [...tools.flatMap(({ server }) => server ?? []), ...requiringAuth];
  for (const name of named)
    if (!surfaces.has(name) && !known.has(name)) surfaces.set(name, [{ name, labels: new Map() }]);
  return surfaces;
};

const serverRow = (
  name: string,
  servers: readonly CatalogServer[],
  {
    tools,
    requiringAuth,
  }: { readonly tools: readonly CatalogTool[] } & Pick<CatalogFacts, 'requiringAuth'>,
): CatalogRow => ({
  kind: servers.some(({ family }) => family === name) ? 'family' : 'server',
  name,
  selector: selectorOfServer(name),
  tools: tools.toSorted(byName),
  signIn: servers
    .filter((server) => needsSignIn(server, { requiringAuth, hasTools: tools.length > 0 }))
    .map((server) => server.name)
    .toSorted(),
  servers: servers.toSorted(byName),
});

const coreRow = (tools: readonly CatalogTool[]): CatalogRow => ({
  kind: 'core',
  name: CORE_GROUP_LABEL,
  tools: tools.toSorted(byName),
  signIn: [],
  servers: [],
});

/** Returns the group of a surface: that of the first member whose label names one. */
const groupOf = (servers: readonly CatalogServer[], labelDomain?: string): ToolGroup =>
  servers
    .map(({ labels }) => groupOfLabels(labels, labelDomain))
    .find((group) => group !== 'registered') ?? 'registered';

/** Returns the catalog in its groups: one row for each server or family, the core tools, and the workflows. @spec §1.3, §2.3 */
export const catalogSections = (facts: CatalogFacts): readonly CatalogSection[] => {
  const { tools, requiringAuth, labelDomain } = facts;
  const toolsByServer = grouped(tools, ({ server }) => server ?? '');
  const rows = new Map<ToolGroup, CatalogRow[]>(TOOL_GROUPS.map(({ group }) => [group, []]));
  for (const [name, servers] of surfacesOf(facts)) {
    const own = toolsByServer.get(name) ?? [];
    rows
      .get(groupOf(servers, labelDomain))
      ?.push(serverRow(name, servers, { tools: own, requiringAuth }));
  }
  for (const list of rows.values()) list.sort(byName);
  const core = tools.filter(({ kind }) => kind === 'core');
  if (core.length > 0) rows.get('agent-platform')?.push(coreRow(core));
  rows
    .get('workflows')
    ?.push(...workflowRows(tools.filter(({ kind }) => kind === 'workflow').toSorted(byName)));
  return TOOL_GROUPS.map(({ group, label }) => ({
    group,
    label,
    rows: rows.get(group) ?? [],
  })).filter((section) => section.rows.length > 0);
};
