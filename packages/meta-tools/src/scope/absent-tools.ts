import type { JsonObject } from '@gateway/call-contract';
import {
  type CatalogSnapshot,
  type CatalogTool,
  type ServerInventory,
  buildCatalog,
  formatExposedName,
  routeToolCall,
} from '@gateway/catalog';
import { type ResolvedToolset, resolveToolset } from '@gateway/preset-resolver';
import type {
  LastKnownTools,
  ServerWithoutTokens,
  SignedOutServer,
  ToolsetScope,
} from '../contract/meta-tool.ts';
import type { Refusal } from '../contract/result.ts';
import type { MetaToolContext } from './toolset-scope.ts';

/** Finds the tool in the catalog that includes the servers that are down: by its exposed name unless a surface has other names. */
export type FindTool = (known: LastKnownTools, name: string) => CatalogTool | undefined;

const findCatalogTool: FindTool = ({ catalog }, name) => catalog.tool(name);

/** Returns a core tool that the caller may not call, if the toolset of the request selects it. Their catalog does not have it. */
export const findWithheldTool = (name: string, context: Context): CatalogTool | undefined => {
  const catalog = context.ports.withheldTools(context.call.principal)?.catalog;
  const tool = catalog?.tool(name);
  return catalog && tool && createToolFilter(catalog, context)(tool) ? tool : undefined;
};

/** A tool of which every provider is down. */
interface UnavailableTool {
  readonly tool: CatalogTool;
  /** The states of its servers, by name. */
  readonly states: ReadonlyMap<string, string>;
}

type UnavailableRefusal = Extract<Refusal, { readonly code: 'tool.unavailable' }>;

type Context = Pick<MetaToolContext, 'ports' | 'presets' | 'scope' | 'call'>;

/** Resolves the toolset of a request in a catalog and returns whether it selects a tool; without a toolset, every tool is selected. */
export const createToolFilter = (
  catalog: CatalogSnapshot,
  { presets, scope }: Pick<Context, 'presets' | 'scope'>,
): ((tool: CatalogTool) => boolean) => {
  if (scope === undefined) return () => true;
  const resolution = resolveToolset({ toolset: scope.toolset, presets, catalog });
  return (tool) => resolution.ok && resolution.value.selection.has(tool);
};

/**
 * Returns the tool of this name that the last known lists of servers that are down have, whatever the toolset selects; `undefined` for
 * any other tool. Call it for a tool that the present catalog does not have.
 */
export const findUnavailableTool = (
  name: string,
  known: LastKnownTools | undefined,
  find: FindTool = findCatalogTool,
): UnavailableTool | undefined => {
  const tool = known && find(known, name);
  if (known === undefined || tool === undefined) return undefined;
  const states = new Map<string, string>();
  for (const { server } of tool.providers) {
    const state = known.findState(server);
    if (state === undefined) return undefined;
    states.set(server, state);
  }
  return states.size === 0 ? undefined : { tool, states };
};

/**
 * Returns the refusal of a call of a tool whose servers are down. It names the server that the arguments choose, the first one when they
 * choose none.
 */
export const createUnavailableRefusal = (
  name: string,
  args: JsonObject,
  { tool, states }: UnavailableTool,
): UnavailableRefusal => {
  const route = routeToolCall(tool, args);
  const [first = ''] = states.keys();
  const server = route.ok && states.has(route.value.server) ? route.value.server : first;
  return { code: 'tool.unavailable', name, server, state: states.get(server) ?? '' };
};

/**
 * Returns the refusal of a call of a family tool that names a member that is down, where other members still provide the tool;
 * `undefined` for any other call.
 *
 * @spec §2.6
 */
export const findMemberRefusal = (
  name: string,
  args: JsonObject,
  known: LastKnownTools | undefined,
): UnavailableRefusal | undefined => {
  const tool = known?.catalog.tool(name);
  const route = tool && routeToolCall(tool, args);
  if (route?.ok !== true) return undefined;
  const { server } = route.value;
  const state = known?.findState(server);
  return state === undefined ? undefined : { code: 'tool.unavailable', name, server, state };
};

/** The own name of the tool that a server is assumed to have. */
const ANY_TOOL = 'tool';

/** Returns the server's own name of a tool with this exposed name; `undefined` when the server cannot have such a tool. */
const readOwnName = (
  { name: server, toolPrefix = '', family }: SignedOutServer,
  exposed: string,
): string | undefined => {
  const start = formatExposedName(family?.name ?? (toolPrefix === '' ? server : toolPrefix), '');
  return exposed.startsWith(start) && exposed.length > start.length
    ? exposed.slice(start.length)
    : undefined;
};

const guessInventory = (server: SignedOutServer, tools: Iterable<string>): ServerInventory => {
  const { name, toolPrefix, family, labels = {} } = server;
  return {
    name,
    labels,
    ...(toolPrefix !== undefined && { toolPrefix }),
    ...(family !== undefined && { family }),
    tools: [...tools].map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  };
};

/** Returns the catalog of the servers that require sign-in, as if they had tools of these own names. */
const guessCatalog = (
  servers: readonly SignedOutServer[],
  ownNames: (server: SignedOutServer) => Iterable<string>,
): CatalogSnapshot =>
  buildCatalog({
    servers: servers.map((server) => guessInventory(server, ownNames(server))),
    workflows: [],
    coreTools: [],
  });

const resolveScope = (
  { toolset }: ToolsetScope,
  catalog: CatalogSnapshot,
  { presets, scope }: Pick<Context, 'presets' | 'scope'>,
): ResolvedToolset => {
  const outer = scope && resolveToolset({ toolset: scope.toolset, presets, catalog });
  return resolveToolset({
    toolset,
    presets,
    catalog,
    ...(outer?.ok === true && { within: outer.value.selection }),
  });
};

/**
 * Returns the server that a caller must sign in to before it has a tool of this exposed name; `undefined` when the toolset of the
 * request would not select that tool, or no server that requires sign-in may have it.
 */
const findSignInServer = (name: string, context: Context): string | undefined => {
  const { ports, scope, call } = context;
  return scope && findAssumedServer(name, ports.serversRequiringAuth(call.principal), context);
};

/** Returns the server of which a tool with this exposed name may be, if the toolset of the request would select the tool. */
const findAssumedServer = (
  name: string,
  servers: readonly SignedOutServer[],
  context: Context,
): string | undefined => {
  if (servers.length === 0) return undefined;
  const catalog = guessCatalog(servers, (server) => [readOwnName(server, name) ?? ANY_TOOL]);
  const { scope } = context;
  const resolution = scope && resolveScope(scope, catalog, context);
  const tool = catalog.tool(name);
  if (tool === undefined) return undefined;
  const isSelected =
    resolution === undefined || (resolution.ok && resolution.value.selection.has(tool));
  return isSelected ? tool.providers[0]?.server : undefined;
};

/** Returns the server that no token may be sent to and that may have a tool of this exposed name, selected by the toolset. */
const findServerWithoutTokens = (
  name: string,
  context: Context,
): ServerWithoutTokens | undefined => {
  const servers = context.ports.serversWithoutTokens();
  const server = findAssumedServer(name, servers, context);
  return servers.find((one) => one.name === server);
};

/** Returns the selectors without a match that select tools of a server after the caller signed in to it, as given and in order. */
export const listAuthSelectors = (scope: ToolsetScope, context: Context): readonly string[] => {
  const { ports, call } = context;
  const { toolset, unmatched } = scope;
  if (unmatched.length === 0) return [];
  const servers = ports.serversRequiringAuth(call.principal);
  if (servers.length === 0) return [];
  const names = toolset.selectors.filter(({ kind }) => kind === 'tool').map(({ name }) => name);
  const catalog = guessCatalog(
    servers,
    (server) => new Set([ANY_TOOL, ...names.flatMap((name) => readOwnName(server, name) ?? [])]),
  );
  const resolution = resolveScope(scope, catalog, context);
  if (!resolution.ok) return [];
  const stillUnmatched = new Set(resolution.value.unmatched);
  return unmatched.filter((selector) => !stillUnmatched.has(selector));
};

/** Why a tool that the toolset of the request selects is not in the catalog now. */
type AbsentToolRefusal = Extract<
  Refusal,
  { readonly code: 'tool.sign-in-required' | 'tool.unavailable' }
>;

const needsSignIn = (server: string, { ports, call }: Context): boolean =>
  ports.serversRequiringAuth(call.principal).some(({ name }) => name === server);

/**
 * Returns why a tool that the catalog does not have cannot be called now: its server requires sign-in, may receive no tokens, or was
 * connected and is down.
 * `undefined` when the toolset of the request would not select it, or no such server has it. The toolset is resolved for every name, so
 * that the time of the answer does not reveal which names exist.
 *
 * @param context with `find`, which finds the tool in the last known lists; by its exposed name when absent
 * @spec §7.2
 */
export const findAbsentToolRefusal = (
  name: string,
  args: JsonObject,
  context: Context & { readonly find?: FindTool },
): AbsentToolRefusal | undefined => {
  const barred = findServerWithoutTokens(name, context);
  if (barred !== undefined) {
    const state = `without tokens: ${barred.problem}`;
    return { code: 'tool.unavailable', name, server: barred.name, state };
  }
  const signIn = findSignInServer(name, context);
  if (signIn !== undefined) return { code: 'tool.sign-in-required', name, server: signIn };
  const known = context.ports.lastKnownTools(context.call.principal);
  const isSelected = known && createToolFilter(known.catalog, context);
  const unavailable = findUnavailableTool(name, known, context.find);
  if (unavailable === undefined || isSelected?.(unavailable.tool) !== true) return undefined;
  const refusal = createUnavailableRefusal(name, args, unavailable);
  const { server } = refusal;
  return needsSignIn(server, context) ? { code: 'tool.sign-in-required', name, server } : refusal;
};
