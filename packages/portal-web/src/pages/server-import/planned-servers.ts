import { type JsonObject, toText } from '@gateway/call-contract';
import {
  type ImportedServer,
  formatServerNote,
  type ServerProblem,
  formatServerProblem,
} from '@gateway/client-config';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useBackend } from '../../backend/backend.ts';
import type { McpClient } from '../../mcp/mcp-client.ts';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY } from '../../queries/catalog.ts';

/** The progress of the creation of one server. */
export type CreationState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'created'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** A server to create. */
interface ServerDraft {
  /** The name in the imported text. */
  readonly source: string;
  readonly name: string;
  readonly definition: JsonObject;
}

/** The states of the servers of an import, by their names in the text. */
export type CreationStates = ReadonlyMap<string, CreationState>;

const create = async (
  gateway: McpClient,
  { name, definition }: ServerDraft,
): Promise<CreationState> => {
  const args = { ...definition, name };
  try {
    const { message } = await callCoreTool(gateway, 'core_mcpserver_create', args);
    return { kind: 'created', message: toText(message) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : '' };
  }
};

/** Creates servers one after the other, so that each has its own result. */
export const useCreation = (): {
  readonly states: CreationStates;
  readonly isRunning: boolean;
  readonly start: (servers: readonly ServerDraft[]) => Promise<void>;
} => {
  const { gateway } = useBackend();
  const queries = useQueryClient();
  const [states, setStates] = useState<CreationStates>(new Map());
  const [isRunning, setRunning] = useState(false);
  const report = (source: string, state: CreationState): void =>
    setStates((before) => new Map([...before, [source, state]]));
  const start = async (servers: readonly ServerDraft[]): Promise<void> => {
    setRunning(true);
    for (const { source } of servers) report(source, { kind: 'waiting' });
    for (const server of servers) {
      report(server.source, { kind: 'running' });
      report(server.source, await create(gateway, server));
    }
    setRunning(false);
    await queries.invalidateQueries({ queryKey: [CATALOG_KEY] });
  };
  return { states, isRunning, start };
};

/** The changes of a user to an import, by the names in the text. */
export interface ImportChoices {
  readonly names: ReadonlyMap<string, string>;
  readonly leftOut: ReadonlySet<string>;
}

/** No change. */
export const NO_CHOICES: ImportChoices = { names: new Map(), leftOut: new Set() };

/** A server of an import as it would be created. */
export interface PlannedServer extends ServerDraft {
  readonly isChosen: boolean;
  /** True for a problem that remains when other servers are left out. */
  readonly isRefused: boolean;
  /** The sentences of what prevents its creation. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** The facts that the gateway adds to an import. */
interface GatewayFacts {
  /** The names of its servers. */
  readonly existing: ReadonlySet<string>;
  /** The problems of each definition, in the order of the import; `undefined` until they are known. */
  readonly checks: readonly (readonly string[])[] | undefined;
}

const findName = ({ source, name }: ImportedServer, { names }: ImportChoices): string =>
  names.get(source) ?? name;

/** Returns the servers of an import by the names that a user chose. */
export const nameServers = (
  servers: readonly ImportedServer[],
  choices: ImportChoices,
): readonly ServerDraft[] =>
  servers.map((server) => ({
    source: server.source,
    name: findName(server, choices),
    definition: server.definition,
  }));

const findTakenName = (name: string, existing: ReadonlySet<string>): readonly string[] =>
  existing.has(name) ? [`The gateway has a server of the name "${name}" already.`] : [];

const findRepeatedName = (name: string, chosen: readonly string[]): readonly string[] =>
  chosen.filter((other) => other === name).length > 1
    ? [`Another server of this import has the name "${name}" too.`]
    : [];

/** The rules of the gateway name the same defects again. */
const formatProblems = (
  own: readonly ServerProblem[],
  checked: readonly string[],
): readonly string[] => (own.length > 0 ? own.map(formatServerProblem) : checked);

/** Returns what an import would create, with all problems. */
export const planServers = (
  servers: readonly ImportedServer[],
  choices: ImportChoices,
  { existing, checks }: GatewayFacts,
): readonly PlannedServer[] => {
  const isChosen = ({ source }: ImportedServer): boolean => !choices.leftOut.has(source);
  const chosen = servers.filter(isChosen).map((server) => findName(server, choices));
  return nameServers(servers, choices).map((server, at) => {
    const { problems = [], notes = [] } = servers[at] ?? {};
    const taken = findTakenName(server.name, existing);
    const refused = formatProblems(problems, checks?.[at] ?? []);
    return {
      ...server,
      isChosen: !choices.leftOut.has(server.source),
      isRefused: taken.length + refused.length > 0,
      problems: [...taken, ...findRepeatedName(server.name, chosen), ...refused],
      notes: notes.map(formatServerNote),
    };
  });
};

/** Returns the servers that can be created now. */
export const filterCreatable = (planned: readonly PlannedServer[]): readonly PlannedServer[] =>
  planned.filter(({ isChosen, problems }) => isChosen && problems.length === 0);
