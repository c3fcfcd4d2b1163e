import { isInputRequired } from '@gateway/mcp-wire';
import type { CallOutcome, CallResult, JsonObject } from '@gateway/call-contract';
import type { CatalogResource, CatalogResourceTemplate } from '@gateway/catalog';
import { KEPT_RESULTS_URI, type OwnResource } from './contract/meta-tool.ts';
import {
  type MetaToolContext,
  listToolsetItems,
  type Read,
  refuse,
} from './scope/toolset-scope.ts';
import {
  READS_CATALOG,
  READS_SERVER,
  defineMetaTool,
  type MetaTool,
  createOptionalCountArgument,
  createOptionalTextArgument,
  createTextArgument,
} from './define-meta-tool.ts';
import {
  createJsonResult,
  createMemberResult,
  createRefusalResult,
  type Refusal,
} from './contract/result.ts';
import {
  createListResult,
  filterResultSchema,
  filterServed,
  listArguments,
  servedFilterArguments,
  createWholeOrPageSchema,
} from './pages.ts';

/** A resource or a resource template of a server. */
export type ResourceItem = CatalogResource | CatalogResourceTemplate;

/** A resource or a resource template, of a server or of the gateway itself. */
type ListedItem = ResourceItem | OwnResource;

/** The URI of a resource, or the template of a template. */
const resolveAddress = (item: ListedItem): string => ('uri' in item ? item.uri : item.uriTemplate);

/** A resource as answers show it; without a description of its own it shows its name. */
const createResourceEntry = (item: ListedItem): JsonObject => {
  const description = item.description ?? item.name;
  return {
    ...('uri' in item ? { uri: item.uri } : { uriTemplate: item.uriTemplate }),
    ...(item.name !== undefined && { name: item.name }),
    ...(description !== undefined && { description }),
    ...(item.mimeType !== undefined && { mimeType: item.mimeType }),
    ...(item.server !== undefined && { server: item.server }),
  };
};

/** JSON Schema of a resource as answers show it; a template carries `uriTemplate` in place of `uri`. */
const resourceEntrySchema: JsonObject = {
  type: 'object',
  properties: {
    uri: { type: 'string' },
    uriTemplate: { type: 'string', description: 'RFC 6570 template; instead of uri' },
    name: { type: 'string' },
    description: { type: 'string' },
    mimeType: { type: 'string' },
    server: { type: 'string', description: 'Absent for a resource of the gateway' },
  },
  additionalProperties: false,
};

const dropDuplicateServers = (items: readonly ResourceItem[]): readonly ResourceItem[] => {
  const byServer = new Map<string, ResourceItem>();
  for (const item of items) if (!byServer.has(item.server)) byServer.set(item.server, item);
  return [...byServer.values()];
};

/**
 * Returns the items of a URI inside the toolset. Listed resources, the exact text first, win over a template of that text, and that over templates that the
 * URI matches. Items outside the toolset change neither the result nor the time, so that a caller does not learn of them.
 */
const listVisible = (uri: string, context: MetaToolContext): readonly ResourceItem[] => {
  const { snapshot } = context;
  const listed = listToolsetItems(snapshot.resourcesOfUri(uri), context);
  const exact = listed.filter((item) => item.uri === uri);
  if (listed.length > 0) return exact.length > 0 ? exact : dropDuplicateServers(listed);
  const templates = snapshot.resourceTemplatesOfUri(uri, context.scope?.selection.servers);
  const named = templates.filter(({ uriTemplate }) => uriTemplate === uri);
  return dropDuplicateServers(named.length > 0 ? named : templates);
};

/** A resource that a caller requests by server and URI. */
interface ResourceWanted {
  readonly uri: string;
  /** Chooses among several servers that expose the URI. */
  readonly server?: string | undefined;
}

/** Returns a resource of the gateway itself, which wins over resources of servers with its URI. */
const findGatewayResource = (
  { uri, server }: ResourceWanted,
  { ports }: MetaToolContext,
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
const findResource = (wanted: ResourceWanted, context: MetaToolContext): Read<ListedItem> =>
  findGatewayResource(wanted, context) ?? findServerResource(wanted, context);

const findServerResource = (
  wanted: ResourceWanted,
  context: MetaToolContext,
): Read<ResourceItem> => {
  const { uri, server } = wanted;
  const visible = listVisible(uri, context);
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

/** Every resource of the catalog and of the gateway itself, then every resource template. */
const listAllItems = ({ snapshot, ports }: MetaToolContext): readonly ListedItem[] => [
  ...snapshot.resources,
  ...ports.gatewayResources(),
  ...snapshot.resourceTemplates,
];

/** Lists the resources and resource templates of the servers inside the toolset and of the gateway itself. @spec §1.1, §4.2 */
const listResources = defineMetaTool({
  name: 'list_resources',
  description: 'List resources and templates a page at a time. To find one, use filter_resources.',
  annotations: READS_CATALOG,
  arguments: listArguments,
  resultSchema: createWholeOrPageSchema('resources', resourceEntrySchema),
  dependsOn: (_args, { ports }) => [ports.gatewayResources()],
  answer: (page, context) =>
    createListResult(
      {
        list: 'resources',
        all: listToolsetItems(listAllItems(context), context),
        entryOf: createResourceEntry,
        isArray: true,
      },
      page,
      context,
    ),
});

/** Filters resources and templates by URI and server, a page at a time. @spec §1.1, §4.2 */
const filterResources = defineMetaTool({
  name: 'filter_resources',
  description: 'Find resources and templates by URI or server. Then get_resource.',
  annotations: READS_CATALOG,
  arguments: servedFilterArguments,
  resultSchema: filterResultSchema(
    'resources',
    { server: { type: 'string' } },
    resourceEntrySchema,
  ),
  dependsOn: (_args, { ports }) => [ports.gatewayResources()],
  answer: (args, context) => {
    const kind = {
      list: 'resources',
      all: listAllItems(context),
      addressOf: resolveAddress,
      entryOf: createResourceEntry,
    } as const;
    return filterServed(kind, args, context);
  },
});

/** Shows one resource, or the template that a URI matches. @spec §1.1, §4.2 */
const describeResource = defineMetaTool({
  name: 'describe_resource',
  description: 'Show the name, description, MIME type and server of a resource.',
  annotations: READS_CATALOG,
  arguments: {
    uri: createTextArgument('URI or template'),
    server: createOptionalTextArgument('When several have the URI'),
  },
  resultSchema: resourceEntrySchema,
  dependsOn: (_args, { ports }) => [ports.gatewayResources()],
  answer: (wanted, context) => {
    const found = findResource(wanted, context);
    return found.ok
      ? createJsonResult(createResourceEntry(found.value))
      : createRefusalResult(found.refusal, context.ports);
  },
});

const readRefusal = (refusal: Refusal): Refusal =>
  refusal.code === 'resource.unknown'
    ? { code: 'resource.failed', reason: `resource not found: ${refusal.uri}` }
    : refusal;

const isKeptResult = ({ uri }: ResourceWanted): boolean => uri.startsWith(KEPT_RESULTS_URI);

const toContents = (outcome: CallOutcome, { ports }: MetaToolContext): CallResult => {
  if (!outcome.ok)
    return createRefusalResult({ code: 'resource.failed', reason: outcome.text }, ports);
  return isInputRequired(outcome.result)
    ? outcome.result
    : createMemberResult(outcome.result, 'contents');
};

/** Reads a resource from its server, or from the gateway itself, or a part of a kept result. The answer is its `contents`, text or binary. @spec §1.1, §4.2 */
const getResource = defineMetaTool({
  name: 'get_resource',
  description: 'Read a resource. Binary data is base64 in "blob".',
  annotations: READS_SERVER,
  arguments: {
    uri: createTextArgument('URI, also one made from a template'),
    server: createOptionalTextArgument('When several have the URI'),
    offset: createOptionalCountArgument(0),
    limit: createOptionalCountArgument(1),
    path: createOptionalTextArgument('JSONPath into a kept result; offset and limit are in bytes'),
  },
  resultSchema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        uri: { type: 'string' },
        mimeType: { type: 'string' },
        text: { type: 'string' },
        blob: { type: 'string', description: 'base64' },
        bytes: { type: 'integer', description: 'Of a kept result: size of the whole text' },
        offset: { type: 'integer', description: 'Of a kept result: first byte of the text' },
        next_offset: { type: 'integer', description: 'Of a kept result: where the text continues' },
      },
      required: ['uri'],
    },
  },
  refuse: (wanted, context) => {
    // Only the answer shows whether the caller has this result.
    if (isKeptResult(wanted)) return undefined;
    const found = findResource(wanted, context);
    return found.ok ? undefined : readRefusal(found.refusal);
  },
  answer: async (wanted, context) => {
    const { ports, call } = context;
    const kept = isKeptResult(wanted) ? await ports.readKeptResult(wanted, call) : undefined;
    if (kept !== undefined) return toContents(kept, context);
    const found = findResource(wanted, context);
    if (!found.ok) return createRefusalResult(readRefusal(found.refusal), ports);
    if ([wanted.offset, wanted.limit, wanted.path].some((part) => part !== undefined))
      return createRefusalResult({ code: 'resource.whole', uri: wanted.uri }, ports);
    const item = found.value;
    if (item.server === undefined)
      return createJsonResult(await ports.readGatewayResource(item.uri, call));
    const uri = 'serverUri' in item ? item.serverUri : wanted.uri;
    return toContents(await ports.readResource({ server: item.server, uri }, call), context);
  },
});

/** The meta-tools about resources, in the order of the spec. @spec §1.1 */
export const RESOURCE_TOOLS: readonly MetaTool[] = [
  listResources,
  filterResources,
  describeResource,
  getResource,
];
