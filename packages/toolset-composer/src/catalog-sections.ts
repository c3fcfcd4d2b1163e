import {
  WORKFLOW_TOOL_PREFIX,
  findText,
  isText,
  readOwnField,
  toList,
  toObject,
} from '@gateway/call-contract';
import type { ListedTool } from './catalog-tool.ts';
import { toServerSelector } from './composition.ts';

/** An `MCPServer` as a user chooses from it. */
export interface CatalogServer {
  readonly name: string;
  /** The family that it belongs to. @spec §2.6 */
  readonly family?: string;
  /** `status.state`. @spec §2.6 */
  readonly state?: string;
  readonly labels: ReadonlyMap<string, string>;
}

const parseServer = (entry: unknown): CatalogServer | undefined => {
  const name = findText(readOwnField(entry, 'name'));
  if (name === undefined) return undefined;
  const family = findText(readOwnField(readOwnField(entry, 'family'), 'name'));
  const state = findText(readOwnField(entry, 'state'));
  return {
    name,
    ...(family !== undefined && { family }),
    ...(state !== undefined && { state }),
    labels: new Map(
      Object.entries(toObject(readOwnField(entry, 'labels'))).flatMap(([key, text]) =>
        isText(text) ? [[key, text]] : [],
      ),
    ),
  };
};

/** Returns the servers of an answer of `core_mcpserver_list`; entries that are no servers are left out. */
export const parseServers = (answer: unknown): readonly CatalogServer[] =>
  toList(readOwnField(answer, 'mcpServers')).flatMap((entry) => parseServer(entry) ?? []);

/** Returns the names in `servers_requiring_auth` of an answer of `list_tools`. @spec §4.2 */
export const parseServersRequiringAuth = (answer: unknown): ReadonlySet<string> =>
  new Set(
    toList(readOwnField(answer, 'servers_requiring_auth')).flatMap(
      (entry) => findText(readOwnField(entry, 'name')) ?? [],
    ),
  );

/** Returns whether a user has to sign in to a server before its tools are listed. @spec §2.6, §4.2 */
export const needsSignIn = (
  server: CatalogServer,
  facts: { readonly requiringAuth: ReadonlySet<string>; readonly hasTools: boolean },
): boolean =>
  !facts.hasTools && (facts.requiringAuth.has(server.name) || server.state === 'Auth Required');

/** The groups of a platform's tools. @spec §2.3 */
export type ToolGroup = 'infrastructure' | 'agent-platform' | 'registered' | 'workflows';

/** The groups in the order in which they are shown, with their names. */
export const TOOL_GROUPS: readonly { readonly group: ToolGroup; readonly label: string }[] = [
  { group: 'infrastructure', label: 'Infrastructure' },
  { group: 'agent-platform', label: 'Agent Platform' },
  { group: 'registered', label: 'Registered servers' },
  { group: 'workflows', label: 'Workflows' },
];

const KEY_NAME = 'tool-group';

/**
 * Returns the group of a server by its label `<domain>/tool-group`. Servers without the label, or with another value, are registered
 * servers.
 *
 * @param labelDomain the domain of the platform's labels; `undefined` accepts any domain
 * @spec §2.3
 */
export const findToolGroup = (
  labels: ReadonlyMap<string, string>,
  labelDomain?: string,
): ToolGroup => {
  const key = [...labels.keys()].find((name) =>
    labelDomain === undefined
      ? name.endsWith(`/${KEY_NAME}`)
      : name === `${labelDomain}/${KEY_NAME}`,
  );
  const value = key === undefined ? undefined : labels.get(key);
  return value === 'infrastructure' || value === 'agent-platform' ? value : 'registered';
};

/** One row of the catalog: a server, a family, the core tools, or workflows. */
export interface CatalogRow {
  readonly kind: 'server' | 'family' | 'core' | 'workflows';
  /** The name of the server or family; the prefix of workflows, or an empty text for those without a common prefix. */
  readonly name: string;
  /** The selector of the whole row. Core tools and workflows are selected one at a time. @spec §2.1 */
  readonly selector?: string;
  readonly tools: readonly ListedTool[];
  /** The names of the servers of the row that a user has to sign in to before their tools are listed. */
  readonly signIn: readonly string[];
  /** The servers of the row: one, or the members of a family. */
  readonly servers: readonly CatalogServer[];
}

/** The number of workflows up to which they are shown as one list. */
const MAX_UNGROUPED = 12;

const PREFIX = /^([^-_]+)[-_]/u;

const createRow = (
  kind: CatalogRow['kind'],
  name: string,
  tools: readonly ListedTool[],
): CatalogRow => ({ kind, name, tools, signIn: [], servers: [] });

const findPrefix = ({ name }: ListedTool): string =>
  name.startsWith(WORKFLOW_TOOL_PREFIX)
    ? (PREFIX.exec(name.slice(WORKFLOW_TOOL_PREFIX.length))?.[1] ?? '')
    : '';

/**
 * Returns the rows of workflows that are sorted by name: one row for up to 12 workflows; otherwise a row for each prefix that several
 * names share, and one without a name for the others, which is last.
 */
const createWorkflowRows = (tools: readonly ListedTool[]): readonly CatalogRow[] => {
  if (tools.length === 0) return [];
  if (tools.length <= MAX_UNGROUPED) return [createRow('workflows', '', tools)];
  const groups = [...Map.groupBy(tools, findPrefix)].filter(
    ([prefix, { length }]) => prefix !== '' && length > 1,
  );
  const inGroups = new Set(groups.flatMap(([, members]) => members));
  const others = tools.filter((tool) => !inGroups.has(tool));
  const rows = groups.map(([prefix, members]) => createRow('workflows', prefix, members));
  return others.length === 0 ? rows : [...rows, createRow('workflows', '', others)];
};

/** A group of the catalog with its rows, sorted by name; the core tools are last. Groups without rows are left out. */
export interface CatalogSection {
  readonly group: ToolGroup;
  readonly label: string;
  readonly rows: readonly CatalogRow[];
}

/** The parts of the catalog of one user. */
export interface CatalogFacts {
  readonly tools: readonly ListedTool[];
  readonly servers: readonly CatalogServer[];
  readonly requiringAuth: ReadonlySet<string>;
  /** The domain of the platform's labels; any domain when absent. */
  readonly labelDomain?: string;
}

/** The name of the sub-group of the core tools, which change the gateway for everyone. */
export const CORE_GROUP_LABEL = 'Platform administration';

const compareNames = (
  left: { readonly name: string },
  right: { readonly name: string },
): number => {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
};

/** The servers by the name of their surface, those that only their tools or a missing sign-in name included. */
const listSurfaces = ({
  tools,
  servers,
  requiringAuth,
}: CatalogFacts): ReadonlyMap<string, CatalogServer[]> => {
  const surfaces = Map.groupBy(servers, ({ family, name }) => family ?? name);
  const known = new Set(servers.map(({ name }) => name));
  const named = [...tools.flatMap(({ server }) => server ?? []), ...requiringAuth];
  for (const name of named)
    if (!surfaces.has(name) && !known.has(name)) surfaces.set(name, [{ name, labels: new Map() }]);
  return surfaces;
};

const createServerRow = (
  name: string,
  servers: readonly CatalogServer[],
  tools: readonly ListedTool[],
  requiringAuth: ReadonlySet<string>,
): CatalogRow => ({
  kind: servers.some(({ family }) => family === name) ? 'family' : 'server',
  name,
  selector: toServerSelector(name),
  tools: tools.toSorted(compareNames),
  signIn: servers
    .filter((server) => needsSignIn(server, { requiringAuth, hasTools: tools.length > 0 }))
    .map((server) => server.name)
    .toSorted(),
  servers: servers.toSorted(compareNames),
});

/** Returns the group of a surface: that of the first member whose label names one. */
const findGroup = (servers: readonly CatalogServer[], labelDomain?: string): ToolGroup =>
  servers
    .map(({ labels }) => findToolGroup(labels, labelDomain))
    .find((group) => group !== 'registered') ?? 'registered';

/** Returns the catalog in its groups: one row for each server or family, the core tools, and the workflows. @spec §1.3, §2.3 */
export const createCatalogSections = (facts: CatalogFacts): readonly CatalogSection[] => {
  const { tools, requiringAuth, labelDomain } = facts;
  const toolsByServer = Map.groupBy(tools, ({ server }) => server ?? '');
  const rows = new Map<ToolGroup, CatalogRow[]>(TOOL_GROUPS.map(({ group }) => [group, []]));
  for (const [name, servers] of listSurfaces(facts)) {
    const row = createServerRow(name, servers, toolsByServer.get(name) ?? [], requiringAuth);
    rows.get(findGroup(servers, labelDomain))?.push(row);
  }
  for (const list of rows.values()) list.sort(compareNames);
  const core = tools.filter(({ kind }) => kind === 'core');
  if (core.length > 0)
    rows
      .get('agent-platform')
      ?.push(createRow('core', CORE_GROUP_LABEL, core.toSorted(compareNames)));
  rows
    .get('workflows')
    ?.push(
      ...createWorkflowRows(tools.filter(({ kind }) => kind === 'workflow').toSorted(compareNames)),
    );
  return TOOL_GROUPS.map(({ group, label }) => ({
    group,
    label,
    rows: rows.get(group) ?? [],
  })).filter((section) => section.rows.length > 0);
};
