import { resourceTemplatesOfUri, type CatalogSnapshot } from '@gateway/catalog';
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
  return refuse(toolsetRefusalError(refusal, ports));
};

type Narrowed = Pick<NativeContext, 'snapshot' | 'index' | 'scope'>;

const candidatesOf = (uri: string, { snapshot, index }: Narrowed): readonly ResourceItem[] => {
  const listed = index.resourcesOfUri(uri);
  return listed.length > 0 ? listed : matching(snapshot, uri);
};

/** The resource of a URI, or the template that it is made from. */
export const findNativeResource = (uri: string, context: NativeContext): Found<ResourceItem> =>
  firstVisible(candidatesOf(uri, context), uri, context);

/** Returns whether a toolset selects the resource of a URI, or a template that it is made from. @spec §4.2 */
export const selectsNativeResource = (uri: string, narrowed: Narrowed): boolean =>
  insideToolset(candidatesOf(uri, narrowed), narrowed).length > 0;

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
