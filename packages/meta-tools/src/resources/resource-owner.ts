import { resourceTemplatesOfUri, type CatalogSnapshot } from '@gateway/catalog';
import { refuse, type Read } from '../arguments/argument.ts';
import type { RequestContext } from '../scope/request-context.ts';
import { insideToolset } from '../scope/server-membership.ts';
import type { ResourceItem } from './resource-entry.ts';

const firstOfEachServer = (items: readonly ResourceItem[]): readonly ResourceItem[] => {
  const byServer = new Map<string, ResourceItem>();
  for (const item of items) if (!byServer.has(item.server)) byServer.set(item.server, item);
  return [...byServer.values()];
};

/** Listed resources win over a template of that text, and that over templates that the URI matches. */
const candidatesOf = (snapshot: CatalogSnapshot, uri: string): readonly ResourceItem[] => {
  const listed = snapshot.resourcesOfUri(uri);
  if (listed.length > 0) return listed;
  const named = snapshot.resourceTemplates.filter(({ uriTemplate }) => uriTemplate === uri);
  return firstOfEachServer(named.length > 0 ? named : resourceTemplatesOfUri(snapshot, uri));
};

/** A resource that a caller requests by server and URI. */
export interface ResourceWanted {
  readonly uri: string;
  /** Chooses among several servers that expose the URI. */
  readonly server?: string | undefined;
}

/**
 * Returns the resource, or the matching template, that a caller requests. Under a toolset, a resource that is not inside is
 * refused as outside, known or not.
 *
 * @spec §4.2, §7.2
 */
export const findResource = (
  wanted: ResourceWanted,
  context: RequestContext,
): Read<ResourceItem> => {
  const { uri, server } = wanted;
  const candidates = candidatesOf(context.snapshot, uri);
  const visible = insideToolset(candidates, context);
  const chosen = server === undefined ? visible : visible.filter((item) => item.server === server);
  const [first, ...others] = chosen;
  if (first !== undefined && others.length === 0) return { ok: true, value: first };
  if (first !== undefined) {
    const servers = chosen.map((item) => item.server);
    return refuse({ code: 'resource.several-servers', uri, servers });
  }
  const isHidden = visible.length === 0 || candidates.some((item) => item.server === server);
  if (context.scope !== undefined && isHidden) {
    const toolset = context.scope.toolset.text;
    return refuse({ code: 'toolset.outside', kind: 'resource', name: uri, toolset });
  }
  return server === undefined || candidates.length === 0
    ? refuse({ code: 'resource.unknown', uri })
    : refuse({ code: 'resource.other-server', uri, server });
};
