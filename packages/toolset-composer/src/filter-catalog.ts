import {
  type CatalogFacts,
  type CatalogRow,
  type CatalogSection,
  createCatalogSections,
  type ToolGroup,
} from './catalog-sections.ts';
import type { ListedTool, ListedToolKind } from './catalog-tool.ts';

/** The annotations of a tool that a filter distinguishes: each tool has exactly one. `other` is neither of the others. @spec §2.4 */
export type ToolHint = 'read-only' | 'destructive' | 'other';

/** The hints in the order in which they are offered, with their names. */
export const TOOL_HINTS: readonly { readonly hint: ToolHint; readonly label: string }[] = [
  { hint: 'read-only', label: 'Read-only' },
  { hint: 'destructive', label: 'Destructive' },
  { hint: 'other', label: 'Neither' },
];

/** The kinds in the order in which they are offered, with their names. @spec §1.3 */
export const TOOL_KINDS: readonly { readonly kind: ListedToolKind; readonly label: string }[] = [
  { kind: 'tool', label: 'Tools of servers' },
  { kind: 'workflow', label: 'Workflows' },
  { kind: 'core', label: 'Core tools' },
];

/** The tools that a user requests; every part narrows. */
export interface ToolFilter {
  readonly group?: ToolGroup;
  /** The name of a server or family. */
  readonly server?: string;
  readonly kind?: ListedToolKind;
  readonly hint?: ToolHint;
}

/** Returns the hint of a tool. */
export const toToolHint = ({
  isReadOnly,
  isDestructive,
}: Pick<ListedTool, 'isReadOnly' | 'isDestructive'>): ToolHint => {
  if (isReadOnly) return 'read-only';
  return isDestructive ? 'destructive' : 'other';
};

const listGroupNames = (facts: CatalogFacts, group: ToolGroup): ReadonlySet<string> =>
  new Set(
    createCatalogSections(facts)
      .filter((section) => section.group === group)
      .flatMap(({ rows }) => rows.flatMap(({ tools }) => tools.map(({ name }) => name))),
  );

/** Returns the tools that pass every part of a filter, in their order. */
export const filterTools = (facts: CatalogFacts, filter: ToolFilter): readonly ListedTool[] => {
  const { group, server, kind, hint } = filter;
  const names = group === undefined ? undefined : listGroupNames(facts, group);
  return facts.tools.filter(
    (tool) =>
      (names === undefined || names.has(tool.name)) &&
      (server === undefined || tool.server === server) &&
      (kind === undefined || tool.kind === kind) &&
      (hint === undefined || toToolHint(tool) === hint),
  );
};

/** Returns the names of the servers and families that tools are of, sorted. */
export const listServers = (tools: readonly ListedTool[]): readonly string[] =>
  [...new Set(tools.flatMap(({ server }) => server ?? []))].toSorted();

const splitWords = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

const hasAll = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
};

const filterRow = (row: CatalogRow, words: readonly string[]): CatalogRow | undefined => {
  if (hasAll(row.name, words)) return row;
  const matches = ({ name, description }: ListedTool): boolean =>
    hasAll(`${row.name} ${name} ${description}`, words);
  const tools = row.tools.filter(matches);
  return tools.length === 0 ? undefined : { ...row, tools };
};

/**
 * Returns the catalog narrowed to what contains all words of a query, in any case: rows by their name with all their tools, other rows
 * with the tools whose names or descriptions contain the words. Every section without a match is left out.
 */
export const searchSections = (
  sections: readonly CatalogSection[],
  query: string,
): readonly CatalogSection[] => {
  const words = splitWords(query);
  if (words.length === 0) return sections;
  return sections
    .map((section) => ({
      ...section,
      rows: section.rows.flatMap((row) => filterRow(row, words) ?? []),
    }))
    .filter(({ rows }) => rows.length > 0);
};

/** Returns whether a selector of tools that a sign-in makes available can select tools of a row. */
const canSelectTools = (selector: string, { selector: whole, name }: CatalogRow): boolean => {
  if (selector.startsWith('server:')) return selector === whole;
  return !selector.startsWith('tool:') || selector.startsWith(`tool:x_${name}_`);
};

/**
 * Returns the names of the servers that a user has to sign in to before these selectors select their tools. A preset can concern every
 * server that requires a sign-in.
 *
 * @param selectors `requiringAuth` of a resolution
 * @spec §4.3
 */
export const listServersToSignIn = (
  sections: readonly CatalogSection[],
  selectors: readonly string[],
): readonly string[] => {
  const rows = sections.flatMap((section) => section.rows);
  const found = rows.filter((row) => selectors.some((selector) => canSelectTools(selector, row)));
  return [...new Set(found.flatMap(({ signIn }) => signIn))];
};
