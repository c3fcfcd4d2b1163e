import {
  isJsonObject,
  type JsonObject,
  isText,
  toObject,
  toObjects,
  toText,
  toTexts,
} from '@gateway/call-contract';
import {
  type CatalogServer,
  findToolGroup,
  type ListedTool,
  parseServers,
  readTools,
  type ToolGroup,
} from '@gateway/toolset-composer';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { pickField } from '../../mcp/json.ts';
import { ALL_TOOLS, CATALOG_KEY } from '../../queries/catalog.ts';
import { useToolAnswer } from '../../queries/core-tools.ts';

/** A condition of a server. @spec §2.6 status */
interface ServerCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A server as `core_mcpserver_list` and `core_mcpserver_get` show it. Times are RFC 3339. */
export interface ServerSummary {
  readonly name: string;
  /** The state of the server for everyone. @spec §2.6 */
  readonly state: string;
  readonly health?: string;
  readonly description?: string;
  /** A sentence about the state. */
  readonly statusMessage?: string;
  /** The last error: one line. */
  readonly error?: string;
  readonly toolsCount?: number;
  readonly resourcesCount?: number;
  readonly promptsCount?: number;
  readonly restartCount?: number;
  readonly connectedAt?: string;
  readonly nextRetryAfter?: string;
  readonly protocolVersion?: string;
  readonly registeredBy?: string;
  /** The reader's own state at a server that users sign in to. @spec §5 */
  readonly signIn?: { readonly status: string; readonly error?: string };
  readonly conditions: readonly ServerCondition[];
  /** The tools whose declarations differ from the accepted ones. */
  readonly changedTools: readonly string[];
  /** The resource in fields. */
  readonly labels: JsonObject;
  readonly spec: JsonObject;
}

/** A server whose definition is not valid. */
export interface InvalidServer {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The answer of `core_mcpserver_list`. */
interface ServerAnswer {
  readonly servers: readonly ServerSummary[];
  readonly refused: readonly InvalidServer[];
  /** Why the reader may not change servers; absent for one who may. */
  readonly writeRefusal?: string;
}

/** The keys of an answer that are not part of `spec`. */
const RUNTIME: ReadonlySet<string> = new Set([
  ...['name', 'labels', 'state', 'statusMessage', 'error', 'health', 'status', 'signIn'],
  ...['toolsCount', 'resourcesCount', 'promptsCount', 'restartCount', 'consecutiveFailures'],
  ...['lastAttempt', 'connectedAt', 'nextRetryAfter', 'serverInfo', 'protocolVersion'],
  ...['registeredBy', 'toolChanges', 'writeRefusal', 'requests', 'stopRequested', 'instanceCount'],
]);

const TEXTS = [
  ...(['health', 'description', 'statusMessage', 'error', 'connectedAt'] as const),
  ...(['nextRetryAfter', 'protocolVersion', 'registeredBy'] as const),
] as const;
const COUNTS = ['toolsCount', 'resourcesCount', 'promptsCount', 'restartCount'] as const;

const pick = <K extends string, T>(
  source: JsonObject,
  keys: readonly K[],
  isWanted: (value: unknown) => value is T,
): { readonly [P in K]?: T } =>
  Object.assign({}, ...keys.map((key) => pickField(source, key, isWanted))) as {
    readonly [P in K]?: T;
  };

const isCount = (value: unknown): value is number => typeof value === 'number';

const parseCondition = ({ type, status, reason, message }: JsonObject): ServerCondition => ({
  type: toText(type),
  status: toText(status),
  reason: toText(reason),
  message: toText(message),
});

const parseSignIn = ({ signIn }: JsonObject): Pick<ServerSummary, 'signIn'> => {
  if (!isJsonObject(signIn)) return {};
  return { signIn: { status: toText(signIn['status']), ...pickField(signIn, 'error', isText) } };
};

/** Reads one server of an answer. */
export const parseServer = (answer: JsonObject): ServerSummary => ({
  name: toText(answer['name']),
  state: toText(answer['state']),
  ...pick(answer, TEXTS, isText),
  ...pick(answer, COUNTS, isCount),
  ...parseSignIn(answer),
  conditions: toObjects(toObject(answer['status'])['conditions']).map(parseCondition),
  changedTools: toObjects(answer['toolChanges']).map(({ tool }) => toText(tool)),
  labels: toObject(answer['labels']),
  spec: Object.fromEntries(Object.entries(answer).filter(([key]) => !RUNTIME.has(key))),
});

/** Returns why the reader may not change servers. */
const parseWriteRefusal = (answer: JsonObject): Pick<ServerAnswer, 'writeRefusal'> =>
  pickField(answer, 'writeRefusal', isText);

/** Reads an answer of `core_mcpserver_list`. */
export const parseServerList = (answer: JsonObject): ServerAnswer => ({
  servers: toObjects(answer['mcpServers']).map(parseServer),
  refused: toObjects(answer['refused']).map(({ name, problems }) => ({
    name: toText(name),
    problems: toTexts(problems),
  })),
  ...parseWriteRefusal(answer),
});

const SIGN_IN_STATES: ReadonlySet<string> = new Set(['auth_required', 'reauth_required']);

/** Returns whether the reader has to sign in to a server. */
export const isSignedOut = ({ signIn, state }: ServerSummary): boolean =>
  signIn === undefined ? state === 'Auth Required' : SIGN_IN_STATES.has(signIn.status);

/** The gateway sends no event for a state, so servers are read repeatedly. */
const POLL_MS = 2_000;

const NO_TOOLS: readonly ListedTool[] = [];
const NO_LABELS: ReadonlyMap<string, string> = new Map();

interface ReadServers extends ServerAnswer {
  readonly catalog: readonly CatalogServer[];
}

/** Reads the servers, again and again. */
const useServerAnswer = (): UseQueryResult<ReadServers> =>
  useToolAnswer(
    {
      key: [CATALOG_KEY, 'server-answer'],
      tool: 'core_mcpserver_list',
      args: { showAll: true, verbose: true },
      parse: (answer) => ({ ...parseServerList(answer), catalog: parseServers(answer) }),
    },
    { refetchInterval: POLL_MS },
  );

/** Reads the tools of the catalog again when a server has another state or another number of tools. Undefined until the first answer. */
const useCatalogTools = (
  servers: readonly ServerSummary[],
): Pick<UseQueryResult<readonly ListedTool[]>, 'data' | 'isPending'> => {
  const states = servers.map(({ name, state, toolsCount, signIn }) =>
    [name, state, toolsCount, signIn?.status].join(' '),
  );
  return useToolAnswer(
    {
      key: [CATALOG_KEY, 'tools-of-servers', states],
      tool: 'list_tools',
      args: ALL_TOOLS,
      parse: readTools,
    },
    { placeholderData: keepPreviousData, gcTime: 0 },
  );
};

/** A server in the list, with its group and the names of its tools. */
export interface ListedServer extends ServerSummary {
  readonly type: string;
  readonly family?: string;
  readonly group: ToolGroup;
  /** The names of its tools in one text, to find it by them. */
  readonly tools: string;
}

/** The servers with the facts about each. */
export interface ServerOverview extends Omit<ServerAnswer, 'servers'> {
  readonly servers: readonly ListedServer[];
}

/** Reads the servers as they are now. @spec §2.3, §2.6 */
export const useServers = (): {
  readonly data: ServerOverview | undefined;
  readonly error: Error | null;
} => {
  const { labelDomain } = useBackend().session;
  const { data, error } = useServerAnswer();
  const { data: tools = NO_TOOLS } = useCatalogTools(data?.servers ?? []);
  const overview = useMemo(() => {
    if (data === undefined) return undefined;
    const catalog = new Map(data.catalog.map((server) => [server.name, server]));
    const servers = data.servers.map((server): ListedServer => {
      const { family, labels = NO_LABELS } = catalog.get(server.name) ?? {};
      const surface = family ?? server.name;
      return {
        ...server,
        type: toText(server.spec['type']),
        ...(family !== undefined && { family }),
        group: findToolGroup(labels, labelDomain),
        tools: tools
          .filter((tool) => tool.server === surface)
          .map(({ name }) => name)
          .join(' '),
      };
    });
    return { ...data, servers };
  }, [data, tools, labelDomain]);
  return { data: overview, error };
};

/** One server, and why the reader may not change it. */
export interface OneServer extends Pick<ServerAnswer, 'writeRefusal'> {
  readonly server: ServerSummary;
}

/** Reads one server, again and again. */
export const useServer = (name: string): UseQueryResult<OneServer> =>
  useToolAnswer(
    {
      key: [CATALOG_KEY, 'server', name],
      tool: 'core_mcpserver_get',
      args: { name },
      parse: (answer) => ({ server: parseServer(answer), ...parseWriteRefusal(answer) }),
    },
    { refetchInterval: POLL_MS },
  );

/** Reads the tools that a server, or its family, has in the catalog of the reader; undefined until the gateway has answered. */
export const useServerTools = (server: ServerSummary): readonly ListedTool[] | undefined => {
  const family = server.spec['family'];
  const surface =
    typeof family === 'object' && family !== null && 'name' in family ? family.name : server.name;
  const { data, isPending } = useCatalogTools([server]);
  return isPending ? undefined : (data ?? []).filter((tool) => tool.server === surface);
};

/** Reads the API group of the gateway's resources. @spec §9.1 */
export const useApiGroup = (): string | undefined => {
  const { data = '' } = useToolAnswer(
    { key: ['api-group'], tool: 'core_config_get', parse: ({ apiGroup }) => toText(apiGroup) },
    { staleTime: Infinity },
  );
  return data === '' ? undefined : data;
};
