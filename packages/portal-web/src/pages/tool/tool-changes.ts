import { isJsonObject, type JsonObject, toObjects, toText, toTexts } from '@gateway/call-contract';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type Backend, useBackend } from '../../backend/backend.ts';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import type { ToolDetail } from './tool-detail.ts';
import { CATALOG_KEY, readServers } from '../../queries/catalog.ts';

/** A declaration that differs from the accepted one. */
export interface PendingChange {
  /** RFC 3339. */
  readonly at: string;
  readonly fields: readonly string[];
  /** It newly declares that it is read-only. */
  readonly isWidened: boolean;
  /** The new hint waits to be accepted. */
  readonly isHeld: boolean;
}

/** A past change of a tool, or its acceptance. */
export interface ChangeEvent {
  /** RFC 3339. */
  readonly at: string;
  readonly kind: 'changed' | 'widened' | 'accepted';
  /** The sentence of the gateway. */
  readonly message: string;
  /** The number of identical events. */
  readonly count: number;
}

const EXPOSED_PREFIX = 'x_';

/**
 * Returns the server's own name of a tool.
 *
 * @param server an answer of `core_mcpserver_get`
 * @returns `undefined` for a tool of another server
 * @spec §1.4
 */
export const findOwnName = (
  tool: Pick<ToolDetail, 'name' | 'server'>,
  server: JsonObject,
): string | undefined => {
  const family = isJsonObject(server['family']) ? toText(server['family']['name']) : '';
  const name = toText(server['name']);
  const prefix = tool.server === name ? toText(server['toolPrefix']) || name : family;
  const start = `${EXPOSED_PREFIX}${prefix}_`;
  return tool.name.startsWith(start) ? tool.name.slice(start.length) : undefined;
};

/** Returns the change of a tool that is not accepted yet. @param server an answer of `core_mcpserver_get` */
export const findPendingChange = (
  server: JsonObject,
  ownName: string,
): PendingChange | undefined => {
  const change = toObjects(server['toolChanges']).find(({ tool }) => tool === ownName);
  if (change === undefined) return undefined;
  const { fields } = change;
  return {
    at: toText(change['at']),
    fields: toTexts(fields),
    isWidened: change['hintWidened'] === true,
    isHeld: change['held'] === true,
  };
};

const MORE = /, \d+ more$/u;

const isAcceptance = (message: string, ownName: string): boolean => {
  const names = message.slice(message.indexOf(': ') + 2);
  return `, ${names}, `.includes(`, ${ownName}, `) || MORE.test(names);
};

const findKind = (event: JsonObject, ownName: string): ChangeEvent['kind'] | undefined => {
  const message = toText(event['message']);
  const about = `MCPServer ${toText(event['resource_name'])} tool ${ownName}`;
  switch (event['reason']) {
    case 'MCPServerToolChanged':
      return message === `${about} changed` || message.startsWith(`${about} changed (`)
        ? 'changed'
        : undefined;
    case 'MCPServerToolHintWidened':
      return message.startsWith(`${about} now declares itself read-only`) ? 'widened' : undefined;
    case 'MCPServerToolsAccepted':
      return isAcceptance(message, ownName) ? 'accepted' : undefined;
    default:
      return undefined;
  }
};

/** Returns the past changes of a tool, newest first. @param answer an answer of `core_events` about the server */
export const parseChangeEvents = (answer: JsonObject, ownName: string): readonly ChangeEvent[] =>
  toObjects(answer['events']).flatMap((event) => {
    const kind = findKind(event, ownName);
    if (kind === undefined) return [];
    const { count } = event;
    return [
      {
        at: `${toText(event['timestamp']).replace(' ', 'T')}Z`,
        kind,
        message: toText(event['message']),
        count: typeof count === 'number' ? count : 1,
      },
    ];
  });

const MAX_EVENTS = 1_000;

/** A tool as one server declares it. */
export interface ToolDeclaration {
  readonly server: string;
  /** The server's own name of the tool. */
  readonly ownName: string;
  /** Absent while the declaration is the accepted one. */
  readonly pending?: PendingChange;
  /** Newest first. */
  readonly history: readonly ChangeEvent[];
}

const readDeclaration = async (
  { gateway }: Backend,
  {
    tool,
    server,
    signal,
  }: { readonly tool: ToolDetail; readonly server: string; readonly signal: AbortSignal },
): Promise<readonly ToolDeclaration[]> => {
  const about = { resourceType: 'MCPServer', resourceName: server, limit: MAX_EVENTS };
  const [view, events] = await Promise.all([
    callCoreTool(gateway, 'core_mcpserver_get', { name: server }, { signal }),
    callCoreTool(gateway, 'core_events', about, { signal }),
  ]);
  const ownName = findOwnName(tool, view);
  if (ownName === undefined) return [];
  const pending = findPendingChange(view, ownName);
  const history = parseChangeEvents(events, ownName);
  return [{ server, ownName, history, ...(pending !== undefined && { pending }) }];
};

/** A family's tool is declared by its members. */
const readDeclaringServers = async (
  backend: Backend,
  { server = '' }: ToolDetail,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const servers = await readServers(backend, signal);
  const members = servers.flatMap(({ name, family }) => (family === server ? [name] : []));
  return members.length === 0 ? [server] : members;
};

/** Reads the changes of a tool at each server that declares it: one, or the members of a family. @spec §2.6 */
export const useToolChanges = (tool: ToolDetail): UseQueryResult<readonly ToolDeclaration[]> => {
  const backend = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'changes', tool.name, tool.server],
    queryFn: async ({ signal }) => {
      const servers = await readDeclaringServers(backend, tool, signal);
      const declared = servers.map((server) => readDeclaration(backend, { tool, server, signal }));
      return (await Promise.all(declared)).flat();
    },
  });
};

/** Accepts the present declaration of a tool at one server. Resolves with the sentence of the gateway. */
export const useAcceptance = ({ server, ownName }: ToolDeclaration, onAccepted: () => void) => {
  const { gateway } = useBackend();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      callCoreTool(gateway, 'core_mcpserver_accept', { name: server, tools: [ownName] }),
    onSuccess: async () => {
      onAccepted();
      await queries.invalidateQueries({ queryKey: [CATALOG_KEY] });
    },
  });
};
