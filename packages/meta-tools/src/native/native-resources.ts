import { resourceTemplatesOfUri, type CatalogSnapshot } from '@gateway/catalog';
import type { ResourceItem } from '../resources/resource-entry.ts';
import { insideToolset } from '../scope/server-membership.ts';
import { refuse, type Found, type NativeContext } from './native-context.ts';
import { refusedByToolset, unknownResource } from './native-refusal.ts';

const literalLength = (template: string): number => {
  const open = template.indexOf('{');
  return open === -1 ? template.length : open;
};

/**
 * Returns the templates that a URI matches, the one with the longest literal prefix first: a template that matches everything is
 * last.
 */
const matching = (snapshot: CatalogSnapshot, uri: string): readonly ResourceItem[] =>
  resourceTemplatesOfUri(snapshot, uri).toSorted(
    (a, b) => literalLength(b.uriTemplate) - literalLength(a.uriTemplate),
  );

/**
 * Returns the first item inside the toolset. Under a toolset, an item that is not inside is refused as outside, known or not.
 *
 * @spec §4.2
 */
const firstVisible = (
  candidates: readonly ResourceItem[],
  uri: string,
  context: NativeContext,
): Found<ResourceItem> => {
  const { scope, ports, call } = context;
  const [item] = insideToolset(candidates, context);
  if (item !== undefined) return { ok: true, item };
  if (scope === undefined)
    return refuse(unknownResource(uri, call.caller?.takesInputRequired === true));
  const toolset = scope.toolset.text;
  const refusal = { code: 'toolset.outside', kind: 'resource', name: uri, toolset } as const;
  return refuse(refusedByToolset(refusal, ports));
};

/** The resource of a URI, or the template that it is made from. */
export const findNativeResource = (uri: string, context: NativeContext): Found<ResourceItem> => {
  const listed = context.index.resourcesOfUri(uri);
  return firstVisible(listed.length > 0 ? listed : matching(context.snapshot, uri), uri, context);
};

/** Returns the server's own URI of an item. */
export const serverUriOf = (item: ResourceItem, uri: string): string =>
  'serverUri' in item ? item.serverUri : uri;

/**
 * Returns the template with this text, otherwise the result of {@link findNativeResource}: completions are requested for both.
 */
export const findNativeTemplate = (text: string, context: NativeContext): Found<ResourceItem> => {
  const { resourceTemplates } = context.snapshot;
  const templates = resourceTemplates.filter(({ uriTemplate }) => uriTemplate === text);
  return templates.length > 0
    ? firstVisible(templates, text, context)
    : findNativeResource(text, context);
};
