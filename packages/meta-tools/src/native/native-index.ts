import { WORKFLOW_TOOL_PREFIX, type JsonObject } from '@gateway/call-contract';
import {
  type CatalogPrompt,
  type CatalogResource,
  type CatalogResourceTemplate,
  type CatalogSnapshot,
  type CatalogTool,
  createUriIndex,
} from '@gateway/catalog';

/**
 * Prefixes of the gateway's own names. A name of a server that starts with one is never shown bare: it could collide with a name
 * that another server, a workflow or the gateway has now or later.
 *
 * @spec §1.4
 */
const RESERVED_PREFIXES = ['x_', WORKFLOW_TOOL_PREFIX, 'core_'] as const;

const isReserved = (name: string): boolean =>
  RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

/**
 * Returns the name under which each item is shown: its own when no other item has that name, otherwise its exposed name. Names
 * are unique when exposed names are: an own name that is shown is never an exposed one. @param ownName the name at the server
 * @param exposedName the name in the catalog; unique
 */
const listNativeNames = <T>(
  items: readonly T[],
  ownName: (item: T) => string,
  exposedName: (item: T) => string,
): readonly string[] => {
  const uses = new Map<string, number>();
  for (const item of items) uses.set(ownName(item), (uses.get(ownName(item)) ?? 0) + 1);
  const exposed = new Set(items.map(exposedName));
  return items.map((item) => {
    const own = ownName(item);
    const isFree = uses.get(own) === 1 && !exposed.has(own) && !isReserved(own);
    return isFree ? own : exposedName(item);
  });
};

/** The fields of a thing that have a value. */
const dropAbsent = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The entry with these fields in place of its own; the very same entry when it has them already. */
const withFields = (entry: JsonObject, fields: JsonObject): JsonObject =>
  Object.entries(fields).every(([key, value]) => Object.hasOwn(entry, key) && entry[key] === value)
    ? entry
    : { ...entry, ...fields };

const createOwnListing = (tool: CatalogTool): JsonObject =>
  dropAbsent({
    title: tool.title,
    description: tool.description === '' ? undefined : tool.description,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
  });

/** A tool's entry of `tools/list`: as its server lists it, under this name. */
const createToolEntry = (tool: CatalogTool, name: string): JsonObject =>
  withFields(tool.listed ?? createOwnListing(tool), { name, inputSchema: tool.inputSchema });

/** A prompt's entry of `prompts/list`: as its server lists it, under this name. */
const createPromptEntry = (prompt: CatalogPrompt, name: string): JsonObject => {
  const { description, arguments: args, listed } = prompt;
  return withFields(listed ?? dropAbsent({ description, arguments: args }), { name });
};

/** A resource's entry of `resources/list`: as its server lists it, under this URI; without a name it shows its own URI. */
const createResourceEntry = (resource: CatalogResource, uri: string): JsonObject => {
  const { name, description, mimeType, listed, serverUri } = resource;
  return withFields(listed ?? dropAbsent({ description, mimeType }), {
    uri,
    name: name ?? serverUri,
  });
};

/** A template's entry of `resources/templates/list`: as its server lists it; without a name it shows itself. */
const createTemplateEntry = (template: CatalogResourceTemplate): JsonObject => {
  const { uriTemplate, name, description, mimeType, listed } = template;
  return withFields(listed ?? dropAbsent({ description, mimeType }), {
    uriTemplate,
    name: name ?? uriTemplate,
  });
};

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

/** The core tools without which a user could not use a server that signs users in. */
const SIGN_IN_TOOLS: ReadonlySet<string> = new Set(['core_auth_login', 'core_auth_logout']);

const readExposedName = ({ name }: { readonly name: string }): string => name;

const resolveToolName = ({ name, providers }: CatalogTool): string =>
  providers[0]?.serverTool ?? name;

/**
 * A URI with a scheme and `://` is the same for everyone, so those are left as they are; of the others one is left that no
 * other server has.
 */
const listNativeUris = (resources: readonly CatalogResource[]): readonly string[] => {
  const owners = new Map<string, number>();
  for (const { serverUri } of resources) owners.set(serverUri, (owners.get(serverUri) ?? 0) + 1);
  const exposed = new Set(resources.map(({ uri }) => uri));
  return resources.map(({ uri, serverUri }) =>
    owners.get(serverUri) === 1 && !exposed.has(serverUri) ? serverUri : uri,
  );
};

/** An entry is made once as long as its server does not change, however often the catalog does. */
type Cached = WeakMap<object, { readonly name: string; readonly entry: JsonObject }>;

const listItems = <T extends { readonly listed?: JsonObject }>(
  items: readonly T[],
  names: readonly string[],
  entryOf: (item: T, name: string) => JsonObject,
  cached: Cached,
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

const toMapByName = <T>(items: readonly NativeItem<T>[]): ReadonlyMap<string, T> =>
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
  const byUri = createUriIndex([...native, ...exposed], ({ uri }) => uri);
  return (uri) => byUri(uri).map(({ item }) => item);
};

/**
 * Creates indexes of snapshots; unchanged entries are the same objects in all of them.
 *
 * @param hasSignIn whether the core tools to sign in to servers are shown; no others ever are
 */
export const createNativeIndexer = (
  hasSignIn: boolean,
): ((snapshot: CatalogSnapshot) => NativeIndex) => {
  const cached: Cached = new WeakMap();
  const isServed = ({ kind, name }: CatalogTool): boolean =>
    kind !== 'core' || (hasSignIn && SIGN_IN_TOOLS.has(name));
  return (snapshot) => {
    const served = snapshot.tools.filter(isServed);
    const toolNames = listNativeNames(served, resolveToolName, readExposedName);
    const tools = listItems(served, toolNames, createToolEntry, cached);
    const promptNames = listNativeNames(
      snapshot.prompts,
      (one) => one.serverPrompt,
      readExposedName,
    );
    const prompts = listItems(snapshot.prompts, promptNames, createPromptEntry, cached);
    const uris = listNativeUris(snapshot.resources);
    const resources = listItems(snapshot.resources, uris, createResourceEntry, cached);
    const addresses = snapshot.resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    const toolByName = toMapByName(tools);
    const promptByName = toMapByName(prompts);
    const resourcesOfUri = indexResources(resources);
    return {
      tools,
      prompts,
      resources,
      templates: listItems(snapshot.resourceTemplates, addresses, createTemplateEntry, cached),
      tool: (name) => {
        const tool = toolByName.get(name) ?? snapshot.tool(name);
        return tool !== undefined && isServed(tool) ? tool : undefined;
      },
      prompt: (name) => promptByName.get(name) ?? snapshot.prompt(name),
      resourcesOfUri,
    };
  };
};
