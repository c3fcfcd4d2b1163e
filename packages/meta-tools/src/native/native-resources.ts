import type { ResourceItem } from '../resources/resource-entry.ts';
import { insideToolset } from '../scope/server-membership.ts';
import { refuse, type Found, type NativeContext } from './native-context.ts';
import { toolsetRefusalError } from '../contract/result.ts';
import { unknownResource } from './native-refusal.ts';

const literalLength = (template: string): number => {
  const open = template.indexOf('{');
  return open === -1 ? template.length : open;
};

/**
 * Returns the first visible item. Under a toolset, an item that is not inside is refused as outside, known or not.
 *
 * @spec §4.2
 */
const firstOf = (
  [item]: readonly ResourceItem[],
  uri: string,
  { scope, ports, call }: NativeContext,
): Found<ResourceItem> => {
  if (item !== undefined) return { ok: true, item };
  if (scope === undefined)
    return refuse(unknownResource(uri, call.caller?.takesInputRequired === true));
  const toolset = scope.toolset.text;
  const refusal = { code: 'toolset.outside', kind: 'resource', name: uri, toolset } as const;
  return refuse(toolsetRefusalError(refusal, ports));
};

type Narrowed = Pick<NativeContext, 'snapshot' | 'index' | 'scope'>;

/**
 * Returns the items of a URI inside the toolset, the best one first: of templates the one with the longest literal prefix, so that one that
 * matches everything is last. Items outside the toolset change neither the result nor the time, so that a caller does not learn of them.
 */
const visibleOf = (uri: string, narrowed: Narrowed): readonly ResourceItem[] => {
  const listed = insideToolset(narrowed.index.resourcesOfUri(uri), narrowed);
  if (listed.length > 0) return listed;
  return narrowed.snapshot
    .resourceTemplatesOfUri(uri, narrowed.scope?.selection.servers)
    .toSorted((a, b) => literalLength(b.uriTemplate) - literalLength(a.uriTemplate));
};

/** The resource of a URI, or the template that it is made from. */
export const findNativeResource = (uri: string, context: NativeContext): Found<ResourceItem> =>
  firstOf(visibleOf(uri, context), uri, context);

/** Returns whether a toolset selects the resource of a URI, or a template that it is made from. @spec §4.2 */
export const selectsNativeResource = (uri: string, narrowed: Narrowed): boolean =>
  visibleOf(uri, narrowed).length > 0;

/** Returns the server's own URI of an item. */
export const serverUriOf = (item: ResourceItem, uri: string): string =>
  'serverUri' in item ? item.serverUri : uri;

/**
 * Returns the template with this text, otherwise the result of {@link findNativeResource}: completions are requested for both.
 */
export const findNativeTemplate = (text: string, context: NativeContext): Found<ResourceItem> => {
  const templates = insideToolset(context.snapshot.resourceTemplates, context).filter(
    ({ uriTemplate }) => uriTemplate === text,
  );
  return templates.length > 0
    ? firstOf(templates, text, context)
    : findNativeResource(text, context);
};
