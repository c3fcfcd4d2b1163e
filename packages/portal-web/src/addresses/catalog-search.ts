import {
  TOOL_GROUPS,
  TOOL_HINTS,
  TOOL_KINDS,
  type ToolFilter,
  type ToolGroup,
  type ToolHint,
  type ToolKind,
} from '@gateway/toolset-composer';

/** The state of the catalog in its address. */
export interface CatalogSearch extends ToolFilter {
  /** Words to rank by. */
  readonly query?: string;
  /** The toolset that narrows the catalog. */
  readonly toolset?: string[];
}

const MAX_CHARS = 1_024;
const MAX_SELECTORS = 200;

const GROUPS: ReadonlySet<unknown> = new Set(TOOL_GROUPS.map(({ group }) => group));
const KINDS: ReadonlySet<unknown> = new Set(TOOL_KINDS.map(({ kind }) => kind));
const HINTS: ReadonlySet<unknown> = new Set(TOOL_HINTS.map(({ hint }) => hint));

/** Returns whether a value names a group. */
export const isToolGroup = (value: unknown): value is ToolGroup => GROUPS.has(value);

/** Returns whether a value names a kind. */
export const isToolKind = (value: unknown): value is ToolKind => KINDS.has(value);

/** Returns whether a value names an annotation. */
export const isToolHint = (value: unknown): value is ToolHint => HINTS.has(value);

/** Returns the selectors of a parameter of an address; `undefined` for anything but a list. */
export const selectorsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.filter((item) => typeof item === 'string').slice(0, MAX_SELECTORS)
    : undefined;

/** The router reads a parameter such as `7` or `true` as JSON. */
const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_CHARS) : undefined;
};

/** Reads the state from the parameters of an address; unknown ones are left out. */
export const readCatalogSearch = (parameters: Record<string, unknown>): CatalogSearch => {
  const { group, kind, hint } = parameters;
  const [query, server] = [textOf(parameters['query']), textOf(parameters['server'])];
  const toolset = selectorsOf(parameters['toolset']);
  return {
    ...(query !== undefined && { query }),
    ...(toolset !== undefined && { toolset }),
    ...(isToolGroup(group) && { group }),
    ...(server !== undefined && { server }),
    ...(isToolKind(kind) && { kind }),
    ...(isToolHint(hint) && { hint }),
  };
};
