import {
  type CallOutcome,
  isAdministrator,
  type Principal,
  type ServerView,
} from '@gateway/call-contract';
import { type Downstream, TOKENS_ALLOWED } from '@gateway/downstream';
import type { CoreTools } from '@gateway/core-tools';
import {
  formatRefusalText,
  type MetaToolPorts,
  type NativePorts,
  type SearchPort,
} from '@gateway/meta-tools';
import type { PresetSet } from '@gateway/preset-resolver';
import type { Logger } from 'pino';
import type { RefusalLog } from '../audit/refusal-budget.ts';
import { type LiveCatalog, type LiveServers, memoizeLatest } from '../live-catalog.ts';
import type { KeptResults } from './kept-results.ts';
import type { ServerRequests } from './stage.ts';
import { toFailure } from './stages.ts';
import { type CatalogSnapshot, type ServerInventory, buildCatalog } from '@gateway/catalog';
import { LRUCache } from 'lru-cache';

type LastKnownTools = NonNullable<ReturnType<MetaToolPorts['lastKnownTools']>>;

type Inventories = readonly ServerInventory[];

/** Maximum number of catalogs that are kept. Principals who see the same lists share one. */
const MAX_CATALOGS = 64;

interface Built {
  readonly snapshot: CatalogSnapshot;
  readonly tools: LastKnownTools;
}

/**
 * Returns a function that returns the tools of the servers that are down, as a principal last saw them. A catalog of them is built at the
 * first question about a tool that is not in the catalog, and kept while nothing changes.
 */
function createLastKnownTools(
  catalog: Pick<LiveCatalog, 'complete'>,
  downstream: Downstream,
): MetaToolPorts['lastKnownTools'] {
  const known = new LRUCache<Inventories, Built>({ max: MAX_CATALOGS });
  return (principal) => {
    const down = downstream.lastInventories(principal);
    if (down.length === 0) return undefined;
    const snapshot = catalog.complete(principal);
    const last = known.get(down);
    if (last?.snapshot === snapshot) return last.tools;
    const own = downstream.inventoriesFor(principal);
    const connected = own ?? downstream.inventories();
    const contested =
      own === undefined ? downstream.contestedNames() : downstream.contestedNamesIn(own);
    const servers = [...connected, ...down];
    const input = { servers, contested, workflows: [], coreTools: [] };
    const names = new Set(down.map(({ name }) => name));
    const tools = {
      catalog: buildCatalog(input, snapshot),
      findState: (server: string) => (names.has(server) ? downstream.findState(server) : undefined),
    };
    known.set(down, { snapshot, tools });
    return tools;
  };
}

type SignedOut = ReturnType<MetaToolPorts['serversRequiringAuth']>;

/** Maximum number of lists that are kept. */
const MAX_LISTS = 256;

/** The states in which a user must sign in to use a server. */
const SIGNED_OUT: ReadonlySet<string> = new Set(['auth_required', 'reauth_required']);

const describeServer = ({ name, definition: { metadata, spec } }: ServerView) => ({
  name,
  labels: metadata.labels,
  ...(spec.toolPrefix !== undefined && { toolPrefix: spec.toolPrefix }),
  ...(spec.family !== undefined && { family: spec.family }),
});

/** Returns the servers that no token may be sent to, with the message of their condition. */
const listServersWithoutTokens = (views: readonly ServerView[]) =>
  views.flatMap((view) => {
    const barred = view.status.conditions.find(({ type }) => type === TOKENS_ALLOWED);
    return barred === undefined ? [] : [{ ...describeServer(view), problem: barred.message }];
  });

/**
 * The lists of servers that users must sign in to, computed after servers changed and not per request. The same array for the same
 * servers, because answers that depend on a list are cached by its identity.
 */
class SignedOutLists {
  readonly #downstream: Downstream;
  readonly #views: LiveServers['views'];
  /** The servers that the lists were made from. */
  #known: readonly ServerView[] = [];
  /** The facts about all servers, by name. */
  #servers: ReadonlyMap<string, SignedOut[number]> = new Map();
  #text = '';
  /** The servers that require sign-in of everybody. */
  #shared: SignedOut = [];
  /** The lists of users, by the names in them. */
  readonly #lists = new Map<string, SignedOut>();

  constructor(downstream: Downstream, views: LiveServers['views']) {
    this.#downstream = downstream;
    this.#views = views;
  }

  #update(views: readonly ServerView[]): void {
    this.#known = views;
    const servers = views.map(describeServer);
    const shared = views.filter(({ state }) => state === 'Auth Required').map(({ name }) => name);
    const text = JSON.stringify([servers, shared]);
    if (text === this.#text) return;
    this.#text = text;
    this.#lists.clear();
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    this.#shared = this.#findList(shared);
  }

  /** Returns the servers that a user must sign in to. */
  list(principal: Principal): SignedOut {
    const views = this.#views();
    if (views !== this.#known) this.#update(views);
    const userServers = this.#downstream.userServers(principal);
    if (userServers.length === 0) return this.#shared;
    const own = new Set(userServers.map(({ server }) => server));
    const names = [
      ...this.#shared.flatMap(({ name }) => (own.has(name) ? [] : [name])),
      ...userServers.flatMap(({ server, status }) => (SIGNED_OUT.has(status) ? [server] : [])),
    ].sort();
    return this.#findList(names);
  }

  #findList(names: readonly string[]): SignedOut {
    const key = names.join();
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#lists.keys();
    if (this.#lists.size >= MAX_LISTS && oldest !== undefined) this.#lists.delete(oldest);
    const list = names.flatMap((name) => this.#servers.get(name) ?? []);
    this.#lists.set(key, list);
    return list;
  }
}

/** The ports of the meta-tools and of the native surface. */
export type SurfacePorts = MetaToolPorts & NativePorts;

interface SurfacePortsOptions {
  readonly catalog: LiveCatalog;
  readonly presets: () => PresetSet;
  readonly search: SearchPort;
  readonly downstream: Downstream;
  readonly requests: ServerRequests;
  readonly coreTools: CoreTools;
  readonly keptResults: KeptResults;
  readonly signInLink: MetaToolPorts['signInLink'];
  readonly signsUsersIn: NativePorts['signsUsersIn'];
  readonly gatewayResources: Pick<MetaToolPorts, 'gatewayResources' | 'readGatewayResource'>;
  readonly callWorkflow: MetaToolPorts['callWorkflow'];
  readonly checksArguments: MetaToolPorts['checksArguments'];
  readonly onToolsetRefusal: MetaToolPorts['onToolsetRefusal'];
  readonly servers: LiveServers;
  readonly logRefusal: RefusalLog;
  readonly logger: Logger;
}

/** The reason of the record of a core tool that the caller may not call. */
const WRITES_REFUSED = 'coreTools.writes';

/** The longest text of a caller in a line of the log. */
const MAX_LOGGED_CHARS = 256;

const NO_COMPLETIONS: Promise<CallOutcome> = Promise.resolve({
  ok: true,
  result: { completion: { values: [], total: 0, hasMore: false } },
});

/** Connects the meta-tools and the native surface to the live catalog, the downstream servers and the core tools. */
export function createSurfacePorts(options: SurfacePortsOptions): SurfacePorts {
  const { catalog, downstream, requests, coreTools, servers, logger } = options;
  const signedOut = new SignedOutLists(downstream, servers.views);
  return {
    snapshot: catalog.snapshot,
    presets: options.presets,
    search: options.search,
    serversRequiringAuth: (principal) => signedOut.list(principal),
    serversWithoutTokens: memoizeLatest(servers.views, listServersWithoutTokens),
    lastKnownTools: createLastKnownTools(catalog, downstream),
    withheldTools: (principal) =>
      isAdministrator(principal)
        ? undefined
        : {
            catalog: catalog.complete(principal),
            findRefusal: (name) => coreTools.writeRefusal(name, principal),
          },
    signInLink: options.signInLink,
    ...options.gatewayResources,
    signsUsersIn: options.signsUsersIn,
    checksArguments: options.checksArguments,
    callServerTool: requests.callTool,
    limitResult: options.keptResults.limit,
    readKeptResult: options.keptResults.read,
    readResource: requests.readResource,
    getPrompt: requests.getPrompt,
    // Completions are declared for all servers together. A server without them has no values.
    complete: (completion, context) =>
      servers.hasCompletions(completion.server)
        ? requests.complete(completion, context)
        : NO_COMPLETIONS,
    subscribeResource: async (resource, onUpdated, principal) => {
      const subscribed = await downstream.subscribeResource(resource, onUpdated, principal);
      return subscribed.ok ? subscribed : toFailure(subscribed.error);
    },
    callCoreTool: async (name, args, context) => {
      const { record } = context;
      if (record !== undefined) record.isExecuted = true;
      const outcome = await coreTools.call(name, args, context);
      if (outcome.ok && outcome.refused !== undefined && record !== undefined)
        record.refusal ??= WRITES_REFUSED;
      return outcome;
    },
    warn: (text) => {
      logger.warn(text);
    },
    callWorkflow: (name, args, context) => {
      if (context.record !== undefined) context.record.isExecuted = true;
      return options.callWorkflow(name, args, context);
    },
    onToolsetRefusal: options.onToolsetRefusal,
    onCallRefused: ({ tool, toolset, call }) => {
      const facts = {
        tool: tool.slice(0, MAX_LOGGED_CHARS),
        toolset: toolset.slice(0, MAX_LOGGED_CHARS),
      };
      options.logRefusal(
        call,
        { ...facts, session: formatSessionLabel(call.sessionId) },
        `call_tool refused: ${formatRefusalText({ code: 'toolset.outside', kind: 'tool', name: facts.tool, toolset: facts.toolset })}`,
      );
    },
  };
}

/** Returns the first characters of a session id: enough to distinguish sessions in a log, too few to use one. */
function formatSessionLabel(session: string | undefined): string {
  return session === undefined ? 'none' : `${session.slice(0, 8)}...`;
}
