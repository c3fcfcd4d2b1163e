import { RPC_CODE, type ServerFeatures } from '@gateway/call-contract';
import { EXPOSE_HEADER, GATEWAY_VERSION, type Expose } from '@gateway/gateway-config';
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
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { CallTimer } from '../metrics/call-metrics.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { LiveServerFeatures } from './server-features.ts';
import type { SurfacePorts } from './surface-ports.ts';

/** Name and version of the gateway in the answer to `initialize`. */
export const SERVICE_INFO = {
  name: 'gateway',
  title: 'MCP gateway',
  version: GATEWAY_VERSION,
} as const;

/** The key of the toolset header among the headers of a request, which are in lower case. @spec §4.1 */
const TOOLSET_HEADER_KEY = TOOLSET_HEADER.toLowerCase();

/** An exposure of the catalog, with the timers of its calls: by meta-tool, or by method. */
export interface Exposure {
  readonly service: McpService;
  readonly timers: ReadonlyMap<string, CallTimer>;
}

/** The exposures that callers see: the meta-tools; or the tools, resources and prompts of the servers, and the meta-tools by a header. */
export interface Exposures {
  readonly meta: Exposure;
  readonly native?: Exposure | undefined;
}

/** Options of {@link createExposures}. */
export interface ExposureOptions {
  readonly apiGroup: string;
  readonly ports: SurfacePorts;
  readonly features: LiveServerFeatures;
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

/** Creates the exposures of a gateway. */
export function createExposures(expose: Expose, options: ExposureOptions): Exposures {
  const { ports, metrics, onChange } = options;
  const features = options.features.union;
  const metaTools = createMetaTools(ports, options);
  return {
    meta: {
      service: createMetaToolService({ metaTools, features }),
      timers: timersFor(
        metaTools.definitions.map(({ name }) => name),
        metrics.metaToolTimer,
      ),
    },
    ...(expose === 'native' && {
      native: {
        service: createNativeService({ surface: new NativeSurface(ports), features, onChange }),
        timers: timersFor(NATIVE_METHODS, metrics.nativeTimer),
      },
    }),
  };
}

const timersFor = <Timer>(
  names: readonly string[],
  create: (name: string) => Timer,
): ReadonlyMap<string, Timer> => new Map(names.map((name) => [name, create(name)]));

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

/** Options of {@link createNativeService}. */
interface NativeServiceOptions {
  readonly surface: NativeSurface;
  /** Returns the optional features that at least one connected server has. */
  readonly features: () => ServerFeatures;
  /** Calls the listener when a list may have changed, for these callers or for all. Returns a function that stops it. */
  readonly onChange: (listener: (principalKeys?: ReadonlySet<string>) => void) => () => void;
}

const LISTS = ['tools', 'resources', 'prompts'] as const;

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
    scopeHeaders: [TOOLSET_HEADER_KEY, EXPOSE_HEADER.toLowerCase()],
    refuseHeaders: (context) => surface.refuseToolset(toolsetOf(context)),
    refuseCall: (call, context) => surface.refuseCall(call, toolsetOf(context)),
    list: (method, context) => surface.list(method, toolsetOf(context)),
    inputSchema: (tool, context) => surface.inputSchema(tool, toolsetOf(context)),
    call: ({ method, params }, context) => {
      const toolsetHeader = context.header(TOOLSET_HEADER_KEY);
      return surface.call({ method, params, toolsetHeader, context });
    },
    onListChanged: (listener) =>
      onChange((principalKeys) => {
        for (const list of LISTS) listener(list, principalKeys);
      }),
    subscribe: (uri, onUpdated, context) => surface.subscribe(uri, onUpdated, toolsetOf(context)),
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
