import { refuse, type Read } from '../arguments/argument.ts';
import type { RequestContext } from '../scope/request-context.ts';
import { insideToolset } from '../scope/server-membership.ts';
import type { ListedItem, ResourceItem } from './resource-entry.ts';

const firstOfEachServer = (items: readonly ResourceItem[]): readonly ResourceItem[] => {
  const byServer = new Map<string, ResourceItem>();
  for (const item of items) if (!byServer.has(item.server)) byServer.set(item.server, item);
  return [...byServer.values()];
};

/**
 * Returns the items of a URI inside the toolset. Listed resources, the exact text first, win over a template of that text, and that over templates that the
 * URI matches. Items outside the toolset change neither the result nor the time, so that a caller does not learn of them.
 */
const visibleOf = (uri: string, context: RequestContext): readonly ResourceItem[] => {
  const { snapshot } = context;
  const listed = insideToolset(snapshot.resourcesOfUri(uri), context);
  const exact = listed.filter((item) => item.uri === uri);
  if (listed.length > 0) return exact.length > 0 ? exact : firstOfEachServer(listed);
  const templates = snapshot.resourceTemplatesOfUri(uri, context.scope?.selection.servers);
  const named = templates.filter(({ uriTemplate }) => uriTemplate === uri);
  return firstOfEachServer(named.length > 0 ? named : templates);
};

/** A resource that a caller requests by server and URI. */
export interface ResourceWanted {
  readonly uri: string;
  /** Chooses among several servers that expose the URI. */
  readonly server?: string | undefined;
}

/** Returns a resource of the gateway itself, which wins over resources of servers with its URI. */
const findGatewayResource = (
  { uri, server }: ResourceWanted,
  { ports }: RequestContext,
): Read<ListedItem> | undefined => {
  const own = ports.gatewayResources().find((resource) => resource.uri === uri);
  if (own === undefined) return undefined;
  return server === undefined
    ? { ok: true, value: own }
    : refuse({ code: 'resource.other-server', uri, server });
};

/**
 * Returns the resource, or the matching template, that a caller requests. Under a toolset, a resource that is not inside is
 * refused as outside, known or not.
 *
 * @spec §4.2, §7.2
 */
export const findResource = (wanted: ResourceWanted, context: RequestContext): Read<ListedItem> =>
  findGatewayResource(wanted, context) ?? findServerResource(wanted, context);

const findServerResource = (
  wanted: ResourceWanted,
  context: RequestContext,
): Read<ResourceItem> => {
  const { uri, server } = wanted;
  const visible = visibleOf(uri, context);
  const chosen = server === undefined ? visible : visible.filter((item) => item.server === server);
  const [first, ...others] = chosen;
  if (first !== undefined && others.length === 0) return { ok: true, value: first };
  if (first !== undefined) {
    const servers = chosen.map((item) => item.server);
    return refuse({ code: 'resource.several-servers', uri, servers });
  }
  if (context.scope !== undefined) {
    const toolset = context.scope.toolset.text;
    return refuse({ code: 'toolset.outside', kind: 'resource', name: uri, toolset });
  }
  return server === undefined || visible.length === 0
    ? refuse({ code: 'resource.unknown', uri })
    : refuse({ code: 'resource.other-server', uri, server });
};
