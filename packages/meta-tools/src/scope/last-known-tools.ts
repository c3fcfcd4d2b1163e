import type { CallContext, JsonObject } from '@gateway/call-contract';
import { routeToolCall, type CatalogTool } from '@gateway/catalog';
import { resolveToolset } from '@gateway/preset-resolver';
import type { LastKnownTools, MetaToolPorts } from '../contract/ports.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Finds the tool in the catalog that includes the servers that are down: by its exposed name unless a surface has other names. */
export type FindTool = (known: LastKnownTools, name: string) => CatalogTool | undefined;

const byExposedName: FindTool = ({ catalog }, name) => catalog.tool(name);

/** A tool of which every provider is down. */
interface UnavailableTool {
  readonly tool: CatalogTool;
  /** The states of its servers, by name. */
  readonly states: ReadonlyMap<string, string>;
}

/** The server that keeps a tool from being called, and its state. */
interface Blocking {
  readonly server: string;
  readonly state: string;
}

type Context = Pick<RequestContext, 'ports' | 'presets' | 'scope' | 'call'>;

const statesOf = (
  { providers }: CatalogTool,
  known: LastKnownTools,
): ReadonlyMap<string, string> | undefined => {
  const states = providers.flatMap(({ server }) => {
    const state = known.stateOf(server);
    return state === undefined ? [] : [[server, state] as const];
  });
  return states.length === providers.length && states.length > 0 ? new Map(states) : undefined;
};

/** Returns whether the toolset of the request would select the tool if its server were connected; `true` without a toolset. */
export const wouldSelect = (
  { tool }: UnavailableTool,
  { ports, presets, scope, call }: Context,
): boolean => {
  if (scope === undefined) return true;
  const catalog = ports.lastKnownTools(call.principal)?.catalog;
  if (catalog === undefined) return false;
  const resolution = resolveToolset({ toolset: scope.toolset, presets, catalog });
  return resolution.ok && resolution.selection.has(tool);
};

/**
 * Returns the tool of this name that the last known lists of servers that are down have, whatever the toolset selects; `undefined` for
 * any other tool. Call it for a tool that the present catalog does not have.
 */
export const unavailableTool = (
  name: string,
  {
    ports,
    call,
  }: {
    readonly ports: Pick<MetaToolPorts, 'lastKnownTools'>;
    readonly call: Pick<CallContext, 'principal'>;
  },
  find: FindTool = byExposedName,
): UnavailableTool | undefined => {
  const known = ports.lastKnownTools(call.principal);
  const tool = known && find(known, name);
  if (known === undefined || tool === undefined) return undefined;
  const states = statesOf(tool, known);
  return states && { tool, states };
};

/** Returns the down server that a call of a tool with these arguments would go to; the first one when the arguments choose none. */
const blockingServer = ({ tool, states }: UnavailableTool, args: JsonObject): Blocking => {
  const route = routeToolCall(tool, args);
  const chosen = route.ok ? states.get(route.server) : undefined;
  if (route.ok && chosen !== undefined) return { server: route.server, state: chosen };
  const [[server, state] = ['', '']] = states;
  return { server, state };
};

/** Returns the refusal of a call of a tool whose server is down. */
export const unavailableRefusal = (
  name: string,
  args: JsonObject,
  unavailable: UnavailableTool,
): Extract<Refusal, { readonly code: 'tool.unavailable' }> => ({
  code: 'tool.unavailable',
  name,
  ...blockingServer(unavailable, args),
});

/**
 * Returns the refusal of a call of a family tool that names a member that is down, where other members still provide the tool;
 * `undefined` for any other call.
 *
 * @spec §2.6
 */
export const memberRefusal = (
  name: string,
  args: JsonObject,
  known: LastKnownTools | undefined,
): Extract<Refusal, { readonly code: 'tool.unavailable' }> | undefined => {
  const tool = known?.catalog.tool(name);
  const route = tool && routeToolCall(tool, args);
  if (route?.ok !== true) return undefined;
  const { server } = route;
  const state = known?.stateOf(server);
  return state === undefined ? undefined : { code: 'tool.unavailable', name, server, state };
};
