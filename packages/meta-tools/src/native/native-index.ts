import type { JsonObject } from '@gateway/call-contract';
import {
  indexByUri,
  type CatalogPrompt,
  type CatalogResource,
  type CatalogResourceTemplate,
  type CatalogSnapshot,
  type CatalogTool,
} from '@gateway/catalog';
import { promptEntry, resourceEntry, templateEntry, toolEntry } from './native-entries.ts';
import { nativeNames } from './native-names.ts';

/** A thing of the catalog under its native name or URI, with its entry in lists. */
export interface NativeItem<T> {
  readonly name: string;
  readonly item: T;
  readonly entry: JsonObject;
}

/** Everything that one snapshot shows natively, in catalog order. Names are the same under every toolset. */
export interface NativeIndex {
  readonly tools: readonly NativeItem<CatalogTool>[];
  readonly prompts: readonly NativeItem<CatalogPrompt>[];
  /** Several servers may have one URI: the first that is visible to a request stands for it. */
  readonly resources: readonly NativeItem<CatalogResource>[];
  readonly templates: readonly NativeItem<CatalogResourceTemplate>[];
  /** The tool of a native or an exposed name. Of the gateway's own tools only those to sign in to servers have one. */
  tool(name: string): CatalogTool | undefined;
  /** The prompt of a native or an exposed name. */
  prompt(name: string): CatalogPrompt | undefined;
  /** The resources of a native or an exposed URI, or of an equivalent one; the exact text first, then in catalog order. */
  resourcesOfUri(uri: string): readonly CatalogResource[];
}

/** The core tools without which a person could not use a server that signs persons in. */
const SIGN_IN_TOOLS: ReadonlySet<string> = new Set(['core_auth_login', 'core_auth_logout']);

/** Options of {@link nativeIndexer}. */
export interface NativeIndexOptions {
  /** True when the core tools to sign in to servers are shown; no others ever are. */
  readonly hasSignIn: boolean;
}

const exposedNameOf = ({ name }: { readonly name: string }): string => name;

const ownToolName = ({ name, providers }: CatalogTool): string => providers[0]?.serverTool ?? name;

/**
 * A URI with a scheme and `://` is the same for everyone, so those are left as they are; of the others one is left that no
 * other server has.
 */
const nativeUris = (resources: readonly CatalogResource[]): readonly string[] => {
  const owners = new Map<string, number>();
  for (const { serverUri } of resources) owners.set(serverUri, (owners.get(serverUri) ?? 0) + 1);
  const exposed = new Set(resources.map(({ uri }) => uri));
  return resources.map(({ uri, serverUri }) =>
    owners.get(serverUri) === 1 && !exposed.has(serverUri) ? serverUri : uri,
  );
};

/** An entry is made once as long as its server does not change, however often the catalog does. */
type Cached = WeakMap<object, { readonly name: string; readonly entry: JsonObject }>;

const itemsOf = <T extends { readonly listed?: JsonObject }>(
  items: readonly T[],
  names: readonly string[],
  {
    cached,
    entryOf,
  }: { readonly cached: Cached; readonly entryOf: (item: T, name: string) => JsonObject },
): readonly NativeItem<T>[] =>
  items.map((item, index) => {
    const name = names[index] ?? '';
    // A tool that only moved in the catalog is another object, but the entry that its server listed is the same.
    const key = item.listed ?? item;
    const known = cached.get(key);
    if (known?.name === name) return { name, item, entry: known.entry };
    const entry = entryOf(item, name);
    cached.set(key, { name, entry });
    return { name, item, entry };
  });

const byNameOf = <T>(items: readonly NativeItem<T>[]): ReadonlyMap<string, T> =>
  new Map(items.map(({ name, item }) => [name, item]));

/**
 * Returns a look-up of resources by native and by exposed URI. One look-up serves both, so that the time for an absent resource is that for
 * a present one.
 */
const indexResources = (
  resources: readonly NativeItem<CatalogResource>[],
): ((uri: string) => readonly CatalogResource[]) => {
  const native = resources.map(({ name, item }) => ({ uri: name, item }));
  const exposed = resources
    .filter(({ name, item }) => name !== item.uri)
    .map(({ item }) => ({ uri: item.uri, item }));
  const byUri = indexByUri([...native, ...exposed], ({ uri }) => uri);
  return (uri) => byUri(uri).map(({ item }) => item);
};

/** Creates indexes of snapshots; unchanged entries are the same objects in all of them. */
export const nativeIndexer = ({
  hasSignIn,
}: NativeIndexOptions): ((snapshot: CatalogSnapshot) => NativeIndex) => {
  const cached: Cached = new WeakMap();
  const isServed = ({ kind, name }: CatalogTool): boolean =>
    kind !== 'core' || (hasSignIn && SIGN_IN_TOOLS.has(name));
  return (snapshot) => {
    const served = snapshot.tools.filter(isServed);
    const toolNames = nativeNames(served, ownToolName, exposedNameOf);
    const tools = itemsOf(served, toolNames, { cached, entryOf: toolEntry });
    const promptNames = nativeNames(snapshot.prompts, (one) => one.serverPrompt, exposedNameOf);
    const prompts = itemsOf(snapshot.prompts, promptNames, { cached, entryOf: promptEntry });
    const uris = nativeUris(snapshot.resources);
    const resources = itemsOf(snapshot.resources, uris, { cached, entryOf: resourceEntry });
    const addresses = snapshot.resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    const toolByName = byNameOf(tools);
    const promptByName = byNameOf(prompts);
    const resourcesOfUri = indexResources(resources);
    return {
      tools,
      prompts,
      resources,
      templates: itemsOf(snapshot.resourceTemplates, addresses, { cached, entryOf: templateEntry }),
      tool: (name) => {
        const tool = toolByName.get(name) ?? snapshot.tool(name);
        return tool !== undefined && isServed(tool) ? tool : undefined;
      },
      prompt: (name) => promptByName.get(name) ?? snapshot.prompt(name),
      resourcesOfUri,
    };
  };
};
