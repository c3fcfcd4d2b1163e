import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { Backend } from '../../backend/backend.ts';
import { useBackend } from '../../backend/backend-context.ts';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY, readServers } from '../../queries/use-catalog.ts';
import {
  changeEventsOf,
  ownNameOf,
  pendingChangeOf,
  type ChangeEvent,
  type PendingChange,
} from './tool-changes.ts';
import type { ToolDetail } from './tool-detail.ts';

const MAX_EVENTS = 1_000;

/** A tool as one server declares it. */
export interface DeclaredTool {
  readonly server: string;
  /** The server's own name of the tool. */
  readonly ownName: string;
  /** Absent while the declaration is the accepted one. */
  readonly pending?: PendingChange;
  /** Newest first. */
  readonly history: readonly ChangeEvent[];
}

const readDeclaredTool = async (
  { gateway }: Backend,
  {
    tool,
    server,
    signal,
  }: { readonly tool: ToolDetail; readonly server: string; readonly signal: AbortSignal },
): Promise<readonly DeclaredTool[]> => {
  const about = { resourceType: 'MCPServer', resourceName: server, limit: MAX_EVENTS };
  const [view, events] = await Promise.all([
    callCoreTool(gateway, 'core_mcpserver_get', { name: server }, { signal }),
    callCoreTool(gateway, 'core_events', about, { signal }),
  ]);
  const ownName = ownNameOf(tool, view);
  if (ownName === undefined) return [];
  const pending = pendingChangeOf(view, ownName);
  const history = changeEventsOf(events, ownName);
  return [{ server, ownName, history, ...(pending !== undefined && { pending }) }];
};

/** A family's tool is declared by its members. */
const declaringServers = async (
  backend: Backend,
  { server = '' }: ToolDetail,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const servers = await readServers(backend, signal);
  const members = servers.flatMap(({ name, family }) => (family === server ? [name] : []));
  return members.length === 0 ? [server] : members;
};

/** Reads the changes of a tool at each server that declares it: one, or the members of a family. @spec §2.6 */
export const useToolChanges = (tool: ToolDetail): UseQueryResult<readonly DeclaredTool[]> => {
  const backend = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'changes', tool.name, tool.server],
    queryFn: async ({ signal }) => {
      const servers = await declaringServers(backend, tool, signal);
      const declared = servers.map((server) => readDeclaredTool(backend, { tool, server, signal }));
      return (await Promise.all(declared)).flat();
    },
  });
};

/** Accepts the present declaration of a tool at one server. Resolves with the sentence of the gateway. */
export const useAcceptance = ({ server, ownName }: DeclaredTool, onAccepted: () => void) => {
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
