import {
  buildCatalog,
  exposedName,
  type CatalogSnapshot,
  type ServerInventory,
} from '@gateway/catalog';
import { resolveToolset, type ResolvedToolset } from '@gateway/preset-resolver';
import type { ServerWithoutTokens, SignedOutServer } from '../contract/ports.ts';
import type { RequestScope } from '../contract/request-scope.ts';
import type { RequestContext } from './request-context.ts';

/** The tool that every server is assumed to have. */
const ANY_TOOL = 'tool';

type Context = Pick<RequestContext, 'ports' | 'presets' | 'scope' | 'call'>;

/** Returns the server's own name of a tool with this exposed name, if the server may have such a tool. */
const ownNameOf = (
  { name: server, toolPrefix = '', family }: SignedOutServer,
  exposed: string,
): readonly string[] => {
  const start = exposedName(family?.name ?? (toolPrefix === '' ? server : toolPrefix), '');
  return exposed.startsWith(start) && exposed.length > start.length
    ? [exposed.slice(start.length)]
    : [];
};

const assumedInventory = (server: SignedOutServer, names: readonly string[]): ServerInventory => {
  const own = new Set([ANY_TOOL, ...names.flatMap((name) => ownNameOf(server, name))]);
  const { name, toolPrefix, family, labels = {} } = server;
  return {
    name,
    labels,
    ...(toolPrefix !== undefined && { toolPrefix }),
    ...(family !== undefined && { family }),
    tools: [...own].map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  };
};

/** Returns the catalog of the servers that require sign-in, as if each had the tools of these exposed names. */
const assumedCatalog = (
  servers: readonly SignedOutServer[],
  names: readonly string[],
): CatalogSnapshot =>
  buildCatalog({
    servers: servers.map((server) => assumedInventory(server, names)),
    workflows: [],
    coreTools: [],
  });

const resolved = (
  { toolset }: RequestScope,
  catalog: CatalogSnapshot,
  { presets, scope }: Pick<Context, 'presets' | 'scope'>,
): ResolvedToolset => {
  const outer = scope && resolveToolset({ toolset: scope.toolset, presets, catalog });
  return resolveToolset({
    toolset,
    presets,
    catalog,
    ...(outer?.ok === true && { within: outer.selection }),
  });
};

/**
 * Returns the server that a caller must sign in to before it has a tool of this exposed name; `undefined` when the toolset of the
 * request would not select that tool, or no server that requires sign-in may have it.
 */
export const signInServerOf = (name: string, context: Context): string | undefined => {
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
  const catalog = assumedCatalog(servers, [name]);
  const tool = catalog.tool(name);
  if (tool === undefined) return undefined;
  const { scope } = context;
  const resolution = scope && resolved(scope, catalog, context);
  const isSelected = resolution === undefined || (resolution.ok && resolution.selection.has(tool));
  return isSelected ? tool.providers[0]?.server : undefined;
};

/** Returns the server that no token may be sent to and that may have a tool of this exposed name, selected by the toolset. */
export const findServerWithoutTokens = (
  name: string,
  context: Context,
): ServerWithoutTokens | undefined => {
  const servers = context.ports.serversWithoutTokens();
  const server = findAssumedServer(name, servers, context);
  return servers.find((one) => one.name === server);
};

/** Returns the selectors without a match that select tools of a server after the caller signed in to it, as given and in order. */
export const selectorsRequiringAuth = (
  scope: RequestScope,
  context: Context,
): readonly string[] => {
  const { ports, call } = context;
  const { toolset, unmatched } = scope;
  if (unmatched.length === 0) return [];
  const servers = ports.serversRequiringAuth(call.principal);
  if (servers.length === 0) return [];
  const names = toolset.selectors.filter(({ kind }) => kind === 'tool').map(({ name }) => name);
  const resolution = resolved(scope, assumedCatalog(servers, names), context);
  if (!resolution.ok) return [];
  const stillUnmatched = new Set(resolution.unmatched);
  return unmatched.filter((selector) => !stillUnmatched.has(selector));
};
