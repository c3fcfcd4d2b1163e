import { RPC_CODE } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import {
  parsePromptEntry,
  parseResourceEntry,
  parseTemplateEntry,
  parseToolEntry,
} from './parse-entry.ts';
import type { DownstreamBounds } from '../wire/limits.ts';
import { headerAnnotationProblem } from '../wire/http/header-annotation-problem.ts';
import { readList } from './read-list.ts';
import type { AskPage, ListKind, ListOutcome } from './read-list.ts';

/** The lists of a server. */
export type ServerLists = Pick<
  ServerInventory,
  'tools' | 'resources' | 'resourceTemplates' | 'prompts'
>;

/** The lists of a connection that reads none. */
export const NO_LISTS: ServerLists = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
};

/** The capabilities that decide which lists are read. */
export interface ListCapabilities {
  readonly tools: boolean;
  readonly resources: boolean;
  readonly prompts: boolean;
}

/** The dependencies of reading the lists. */
export interface ListReader {
  readonly ask: AskPage;
  readonly bounds: DownstreamBounds;
  /** Arguments are mirrored into HTTP headers, so tools with invalid header annotations are omitted. */
  readonly mirrorsArguments: boolean;
  /** Called for a list that stays empty because it could not be read. */
  readonly onListRefused: (list: string, reason: string) => void;
  /** Called for the entries that are omitted from a list. */
  readonly onEntriesRefused: (list: string, count: number) => void;
}

/** The lists, or the reason why the server cannot be used. */
export type ListsOutcome =
  | { readonly ok: true; readonly lists: ServerLists }
  | { readonly ok: false; readonly reason: string; readonly httpStatus?: number };

const TOOLS: ListKind<ServerLists['tools'][number]> = {
  method: 'tools/list',
  key: 'tools',
  parse: parseToolEntry,
};
/** MCP 2026-07-28 requires clients to omit such tools. */
const MIRRORED_TOOLS: typeof TOOLS = {
  ...TOOLS,
  parse(entry) {
    const tool = parseToolEntry(entry);
    return tool === undefined || headerAnnotationProblem(tool.inputSchema) !== undefined
      ? undefined
      : tool;
  },
};
const RESOURCES: ListKind<ServerLists['resources'][number]> = {
  method: 'resources/list',
  key: 'resources',
  label: 'name',
  parse: parseResourceEntry,
};
const TEMPLATES: ListKind<ServerLists['resourceTemplates'][number]> = {
  method: 'resources/templates/list',
  key: 'resourceTemplates',
  label: 'name',
  parse: parseTemplateEntry,
};
const PROMPTS: ListKind<ServerLists['prompts'][number]> = {
  method: 'prompts/list',
  key: 'prompts',
  parse: parsePromptEntry,
};

const NOTHING: ListOutcome<never> = { ok: true, items: [], refused: 0 };

/** A declared list that the server does not serve is empty; the other lists stay usable. */
const itemsOf = <T>(
  kind: ListKind<T>,
  outcome: ListOutcome<T>,
  reader: ListReader,
): readonly T[] => {
  if (!outcome.ok) {
    if (outcome.rpcCode !== RPC_CODE.methodNotFound)
      reader.onListRefused(kind.method, outcome.reason);
    return [];
  }
  if (outcome.refused > 0) reader.onEntriesRefused(kind.method, outcome.refused);
  return outcome.items;
};

/**
 * Reads the lists that the server declares, in parallel. A server without readable tools is not usable; a failed list of another kind is
 * logged and stays empty.
 */
export const readServerLists = async (
  capabilities: ListCapabilities,
  reader: ListReader,
): Promise<ListsOutcome> => {
  const read = <T>(wanted: boolean, kind: ListKind<T>): Promise<ListOutcome<T>> =>
    wanted ? readList(kind, reader.ask, reader.bounds) : Promise.resolve(NOTHING);
  const [tools, resources, templates, prompts] = await Promise.all([
    read(capabilities.tools, reader.mirrorsArguments ? MIRRORED_TOOLS : TOOLS),
    read(capabilities.resources, RESOURCES),
    read(capabilities.resources, TEMPLATES),
    read(capabilities.prompts, PROMPTS),
  ]);
  if (!tools.ok) return tools;
  return {
    ok: true,
    lists: {
      tools: itemsOf(TOOLS, tools, reader),
      resources: itemsOf(RESOURCES, resources, reader),
      resourceTemplates: itemsOf(TEMPLATES, templates, reader),
      prompts: itemsOf(PROMPTS, prompts, reader),
    },
  };
};
