import { type Expose, EXPOSE_HEADER, exposureOf, GATEWAY_VERSION } from '@gateway/gateway-config';
import type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCapabilities,
} from '@gateway/mcp-http';
import {
  createMetaTools,
  type MetaToolAnswer,
  type MetaTools,
  type NativeCallMethod,
  NativeSurface,
  type ToolsetRequest,
} from '@gateway/meta-tools';
import type { Metrics } from '../metrics/metrics.ts';
import { measureService } from '../metrics/measure-ports.ts';
import type { SurfacePorts } from './surface-ports.ts';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { Downstream } from '@gateway/downstream';
import { RPC_CODE } from '@gateway/call-contract';

/** Name and version of the gateway in the answer to `initialize`. */
export const SERVICE_INFO = {
  name: 'gateway',
  title: 'MCP gateway',
  version: GATEWAY_VERSION,
} as const;

/** The key of the toolset header among the headers of a request, which are in lower case. @spec §4.1 */
const TOOLSET_HEADER_KEY = TOOLSET_HEADER.toLowerCase();

/** Optional features of connected servers: those that at least one of them has. */
interface ServerFeatures {
  readonly completions: boolean;
  readonly resourceSubscriptions: boolean;
  readonly logging: boolean;
}

/** The optional features of the connected servers, computed when servers change and not per request. */
export interface LiveServerFeatures {
  /** Returns the features that at least one connected server has; the same object while nothing changes. */
  readonly union: () => ServerFeatures;
  /** Returns whether a server supports completions. */
  readonly hasCompletions: (server: string) => boolean;
}

/** Follows the features of the connected servers. */
export function followServerFeatures(downstream: Downstream): LiveServerFeatures {
  let current = readFeatures(downstream);
  downstream.onChange(() => {
    current = readFeatures(downstream);
  });
  return {
    union: () => current.union,
    hasCompletions: (server) => current.withCompletions.has(server),
  };
}

function readFeatures(downstream: Downstream) {
  const shared = downstream.servers().map(({ name, features }) => [name, features] as const);
  const known = [...shared, ...downstream.personalFeatures()];
  const some = (feature: keyof ServerFeatures): boolean =>
    known.some(([, features]) => features?.[feature] === true);
  const union: ServerFeatures = {
    completions: some('completions'),
    resourceSubscriptions: some('resourceSubscriptions'),
    logging: some('logging'),
  };
  const withCompletions = new Set(
    known.flatMap(([name, features]) => (features?.completions === true ? [name] : [])),
  );
  return { union, withCompletions };
}

/** Options of {@link createNativeService}. */
interface NativeServiceOptions {
  readonly surface: NativeSurface;
  /** Returns the optional features that at least one connected server has. */
  readonly features: () => ServerFeatures;
  /** Calls the listener when a list may have changed, for these callers or for all. Returns a function that stops it. */
  readonly onChange: (listener: (principalKeys?: ReadonlySet<string>) => void) => () => void;
}

const LISTS = ['tools', 'resources', 'prompts'] as const;

const scopeOf = (context: RequestContext): ToolsetRequest => ({
  toolsetHeader: context.header(TOOLSET_HEADER_KEY),
  principal: context.principal,
  sessionId: context.sessionId,
});

const capabilitiesOf = (features: ServerFeatures): ServiceCapabilities => ({
  tools: { listChanged: true },
  resources: { listChanged: true, ...(features.resourceSubscriptions && { subscribe: true }) },
  prompts: { listChanged: true },
  ...(features.completions && { completions: {} }),
  ...(features.logging && { logging: {} }),
});

/** Creates the service that exposes the tools, resources and prompts of the servers over HTTP and stdio. */
function createNativeService(options: NativeServiceOptions): McpService {
  const { surface, features, onChange } = options;
  const capabilities = memoizeLatest(features, capabilitiesOf);
  return {
    info: SERVICE_INFO,
    get capabilities() {
      return capabilities();
    },
    scopeHeaders: [TOOLSET_HEADER_KEY],
    refuseHeaders: (context) => surface.refuseToolset(scopeOf(context)),
    refuseCall: (call, context) => surface.refuseCall(call, scopeOf(context)),
    list: (method, context) => surface.list(method, scopeOf(context)),
    inputSchema: (tool, context) => surface.inputSchema(tool, scopeOf(context)),
    call: ({ method, params }, context) => {
      const toolsetHeader = context.header(TOOLSET_HEADER_KEY);
      return surface.call({ method, params, toolsetHeader, context });
    },
    onListChanged: (listener) =>
      onChange((principalKeys) => {
        for (const list of LISTS) listener(list, principalKeys);
      }),
    subscribe: (uri, onUpdated, context) => surface.subscribe(uri, onUpdated, scopeOf(context)),
  };
}

/** Returns a function that derives a value from the source again only when the source returns another object. */
function memoizeLatest<In extends object, Out>(
  source: () => In,
  derive: (from: In) => Out,
): () => Out {
  let from = source();
  let derived = derive(from);
  return () => {
    const now = source();
    if (now !== from) {
      from = now;
      derived = derive(now);
    }
    return derived;
  };
}

/** Options of {@link createMetaToolService}. */
interface MetaToolServiceOptions {
  readonly metaTools: MetaTools;
  /** Returns the optional features that at least one connected server has. */
  readonly features: () => ServerFeatures;
}

/** Creates the service that exposes the meta-tools over HTTP and stdio. */
export function createMetaToolService({ metaTools, features }: MetaToolServiceOptions): McpService {
  const items = metaTools.definitions.map((definition) => ({
    ...definition,
    annotations: { ...definition.annotations },
  }));
  const names = new Set<string>(items.map(({ name }) => name));
  return {
    info: SERVICE_INFO,
    instructions:
      'Find a tool with filter_tools (query), read it with describe_tool, run it with call_tool.',
    // The list of meta-tools never changes. The servers behind call_tool may support logging.
    get capabilities() {
      return features().logging ? { tools: {}, logging: {} } : { tools: {} };
    },
    list: () => ({ ok: true, items }),
    scopeHeaders: [TOOLSET_HEADER_KEY],
    refuseHeaders: (context) => metaTools.refuseToolset(toolsetOf(context)),
    refuseCall: ({ params }, context) => {
      const call = { name: String(params['name']), arguments: params['arguments'] };
      const refused = metaTools.refuseCall(call, toolsetOf(context));
      return refused && toServiceAnswer(refused);
    },
    call: ({ params }, context) => {
      const name = String(params['name']);
      if (!names.has(name)) return unknownTool(name);
      const answer = metaTools.call({
        name,
        arguments: params['arguments'],
        toolsetHeader: context.header(TOOLSET_HEADER_KEY),
        context,
      });
      // Most answers are synchronous, and stay so.
      return answer instanceof Promise ? answer.then(toServiceAnswer) : toServiceAnswer(answer);
    },
  };
}

const toolsetOf = ({ header, principal, sessionId }: RequestContext): ToolsetRequest => ({
  toolsetHeader: header(TOOLSET_HEADER_KEY),
  principal,
  sessionId,
});

const toServiceAnswer = ({ result }: MetaToolAnswer): ServiceAnswer => ({ ok: true, result });

/** Maximum characters of a caller's value that a text quotes. */
const MAX_QUOTED_CHARS = 200;

function unknownTool(name: string): ServiceAnswer {
  const quoted = name.length > MAX_QUOTED_CHARS ? `${name.slice(0, MAX_QUOTED_CHARS)}…` : name;
  const message = `Unknown tool: ${JSON.stringify(quoted)}`;
  return { ok: false, error: { code: RPC_CODE.invalidParams, message } };
}

/**
 * Returns a native service whose requests with the header use the meta-tools instead, so that programs that manage a gateway work with
 * both exposures. The toolset of such a request restricts it in the same way.
 */
function withMetaTools(native: McpService, meta: McpService): McpService {
  const serviceOf = ({ header }: RequestContext): McpService =>
    exposureOf('native', header) === 'meta' ? meta : native;
  const own: Partial<McpService> = {
    scopeHeaders: [...(native.scopeHeaders ?? []), EXPOSE_HEADER.toLowerCase()],
    list: (method, context) => serviceOf(context).list(method, context),
    call: (call, context) => serviceOf(context).call(call, context),
    refuseHeaders: (context) => serviceOf(context).refuseHeaders?.(context),
    refuseCall: (call, context) => serviceOf(context).refuseCall?.(call, context),
    inputSchema: (tool, context) => serviceOf(context).inputSchema?.(tool, context),
  };
  // The capabilities of a service change with its servers: they are inherited, not copied.
  return Object.assign(Object.create(native) as McpService, own);
}

/** Options of {@link createExposedService}. */
interface ExposedServiceOptions {
  readonly apiGroup: string;
  readonly ports: SurfacePorts;
  readonly features: LiveServerFeatures;
  /** Ends what the servers keep for a client whose session has ended. */
  readonly clients: { endClient(client: string): void };
  readonly metrics: Pick<Metrics, 'metaToolTimer' | 'nativeTimer'>;
  /** Calls the listener when the catalog or the presets change, for these callers or for all. Returns a function that stops it. */
  readonly onChange: (listener: (principalKeys?: ReadonlySet<string>) => void) => () => void;
}

const NATIVE_METHODS = [
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
] as const satisfies readonly NativeCallMethod[];

/** Creates the measured service of an exposure: the meta-tools, or the tools, resources and prompts of the servers. */
export const createExposedService = (expose: Expose, options: ExposedServiceOptions): McpService =>
  Object.assign(SERVICES[expose](options), {
    clientEnded: (client: string) => {
      options.clients.endClient(client);
    },
  });

const SERVICES: Readonly<Record<Expose, (options: ExposedServiceOptions) => McpService>> = {
  meta: ({ apiGroup, ports, features, metrics }) => {
    const metaTools = createMetaTools(ports, { apiGroup });
    const timers = timersOf(
      metaTools.definitions.map(({ name }) => name),
      metrics.metaToolTimer,
    );
    const service = createMetaToolService({ metaTools, features: features.union });
    return measureService(service, ({ params }) => timers.get(String(params['name'])));
  },
  native: (options) => {
    const { ports, features, metrics, onChange } = options;
    const timers = timersOf(NATIVE_METHODS, metrics.nativeTimer);
    const surface = new NativeSurface(ports);
    const service = createNativeService({ surface, features: features.union, onChange });
    const measured = measureService(service, ({ method }) => timers.get(method));
    return withMetaTools(measured, SERVICES.meta(options));
  },
};

const timersOf = <Timer>(
  names: readonly string[],
  create: (name: string) => Timer,
): ReadonlyMap<string, Timer> => new Map(names.map((name) => [name, create(name)]));
