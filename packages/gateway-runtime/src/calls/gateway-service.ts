import {
  type CallResult,
  RPC_CODE,
  type ServerFeatures,
  findText,
  readOwnField,
} from '@gateway/call-contract';
import { CALL_METHODS } from '@gateway/mcp-wire';
import { EXPOSE_HEADER, type Expose, GATEWAY_VERSION } from '@gateway/gateway-config';
import type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCall,
  ServiceCapabilities,
} from '@gateway/mcp-http';
import {
  type MetaTools,
  NativeSurface,
  type ToolsetRequest,
  createMetaTools,
  findCalledTool,
} from '@gateway/meta-tools';
import { TOOLSET_HEADER_KEY } from '@gateway/toolset-grammar';
import type { CallTimer } from '../metrics/call-metrics.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import { type LiveServers, memoizeLatest } from '../live-catalog.ts';
import type { SurfacePorts } from './surface-ports.ts';
import { ADMIN_SCOPE } from '@gateway/caller-auth';
import type { CoreTools } from '@gateway/core-tools';
import type { Downstream } from '@gateway/downstream';
import type { AuditTrail } from '../audit/audit-trail.ts';
import {
  type AuthStatusSource,
  addStatusCapabilities,
  addStatusResource,
  followLists,
  followStatus,
  isStatusRead,
  isStatusUri,
  createResourceError,
} from './auth-status-stage.ts';
import { auditRefusal, auditSubscription } from './audit-stage.ts';
import type { KeptResults } from './kept-results.ts';
import { createCallPath } from './stages.ts';

/** Name and version of the gateway in the answer to `initialize`. */
export const SERVICE_INFO = {
  name: 'gateway',
  title: 'MCP gateway',
  version: GATEWAY_VERSION,
} as const;

/** The key of the header by which a request chooses the meta-tools. */
const EXPOSE_HEADER_KEY = EXPOSE_HEADER.toLowerCase();

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

export interface ExposureOptions {
  readonly apiGroup: string;
  /** The most entries of a list without `limit`; 0: all. */
  readonly pageSize: number;
  readonly ports: SurfacePorts;
  readonly servers: LiveServers;
  readonly metrics: Pick<GatewayMetrics, 'metaToolTimer' | 'nativeTimer'>;
  /** Calls the listener when the catalog or the presets change, for these callers or for all. Returns a function that stops it. */
  readonly onChange: (listener: (principalKeys?: ReadonlySet<string>) => void) => () => void;
}

/** Creates the exposures of a gateway. */
export function createExposures(expose: Expose, options: ExposureOptions): Exposures {
  const { ports, metrics, onChange } = options;
  const { features } = options.servers;
  const metaTools = createMetaTools(ports, options);
  return {
    meta: {
      service: createMetaToolService({ metaTools, features }),
      timers: createTimers(
        metaTools.definitions.map(({ name }) => name),
        metrics.metaToolTimer,
      ),
    },
    ...(expose === 'native' && {
      native: {
        service: createNativeService({ surface: new NativeSurface(ports), features, onChange }),
        timers: createTimers(CALL_METHODS, metrics.nativeTimer),
      },
    }),
  };
}

const createTimers = <Timer>(
  names: Iterable<string>,
  create: (name: string) => Timer,
): ReadonlyMap<string, Timer> => new Map(Array.from(names, (name) => [name, create(name)]));

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
    refuseHeaders: (context) => metaTools.refuseToolset(toToolsetRequest(context)),
    refuseCall: ({ params }, context) => {
      const call = { name: String(params['name']), arguments: params['arguments'] };
      const refused = metaTools.refuseCall(call, toToolsetRequest(context));
      return refused && toServiceAnswer(refused);
    },
    call: ({ params }, context) => {
      const name = String(params['name']);
      if (!names.has(name)) return refuseUnknownTool(name);
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

const toToolsetRequest = ({ header, principal, sessionId }: RequestContext): ToolsetRequest => ({
  toolsetHeader: header(TOOLSET_HEADER_KEY),
  principal,
  sessionId,
});

const toServiceAnswer = (result: CallResult): ServiceAnswer => ({ ok: true, result });

/** Maximum characters of a caller's value that a text quotes. */
const MAX_QUOTED_CHARS = 200;

function refuseUnknownTool(name: string): ServiceAnswer {
  const quoted = name.length > MAX_QUOTED_CHARS ? `${name.slice(0, MAX_QUOTED_CHARS)}…` : name;
  const message = `Unknown tool: ${JSON.stringify(quoted)}`;
  return { ok: false, error: { code: RPC_CODE.invalidParams, message } };
}

interface NativeServiceOptions {
  readonly surface: NativeSurface;
  /** Returns the optional features that at least one connected server has. */
  readonly features: () => ServerFeatures;
  /** Calls the listener when a list may have changed, for these callers or for all. Returns a function that stops it. */
  readonly onChange: (listener: (principalKeys?: ReadonlySet<string>) => void) => () => void;
}

const LISTS = ['tools', 'resources', 'prompts'] as const;

const toCapabilities = (features: ServerFeatures): ServiceCapabilities => ({
  tools: { listChanged: true },
  resources: { listChanged: true, ...(features.resourceSubscriptions && { subscribe: true }) },
  prompts: { listChanged: true },
  ...(features.completions && { completions: {} }),
  ...(features.logging && { logging: {} }),
});

/** Creates the service that exposes the tools, resources and prompts of the servers over HTTP and stdio. */
function createNativeService(options: NativeServiceOptions): McpService {
  const { surface, features, onChange } = options;
  const capabilities = memoizeLatest(features, toCapabilities);
  return {
    info: SERVICE_INFO,
    get capabilities() {
      return capabilities();
    },
    scopeHeaders: [TOOLSET_HEADER_KEY, EXPOSE_HEADER_KEY],
    refuseHeaders: (context) => surface.refuseToolset(toToolsetRequest(context)),
    refuseCall: (call, context) => surface.refuseCall(call, toToolsetRequest(context)),
    list: (method, context) => surface.list(method, toToolsetRequest(context)),
    inputSchema: (tool, context) => surface.inputSchema(tool, toToolsetRequest(context)),
    call: ({ method, params }, context) => {
      const toolsetHeader = context.header(TOOLSET_HEADER_KEY);
      return surface.call({ method, params, toolsetHeader, context });
    },
    onListChanged: (listener) =>
      onChange((principalKeys) => {
        for (const list of LISTS) listener(list, principalKeys);
      }),
    subscribe: (uri, onUpdated, context) =>
      surface.subscribe(uri, onUpdated, toToolsetRequest(context)),
  };
}

/** Returns whether the header of a request chooses the meta-tools. */
const isMetaRequest = ({ header }: RequestContext): boolean => {
  const lines = header(EXPOSE_HEADER_KEY);
  return lines?.length === 1 && lines[0]?.trim() === 'meta';
};

/** The parts of a gateway that its service uses. */
export interface GatewayServiceParts {
  readonly exposures: Exposures;
  readonly authStatus: AuthStatusSource;
  readonly trail: AuditTrail;
  readonly downstream: Pick<Downstream, 'endClient'>;
  readonly keptResults: Pick<KeptResults, 'endClient'>;
  /** Resolves when the start of each server was attempted. */
  readonly started: Promise<unknown>;
  /** Returns why a principal may not call a core tool that writes; `undefined` for a permitted one, and for any other tool. */
  readonly writeRefusal: CoreTools['writeRefusal'];
}

/** Options that differ between transports. */
export interface ServiceOptions {
  /** An issuer grants the scope that core tools that write need, so that clients are sent to request it. */
  readonly grantsAdmin?: boolean;
  /** The first calls wait until the start of each server was attempted. */
  readonly waitsForStart?: boolean;
}

/** Creates the service that the gateway exposes over HTTP and stdio. Toolsets do not narrow `auth://status`. */
export function createGatewayService(
  parts: GatewayServiceParts,
  { grantsAdmin = false, waitsForStart = false }: ServiceOptions = {},
): McpService {
  const { authStatus, trail, writeRefusal } = parts;
  const { meta, native } = parts.exposures;
  const { service: main } = native ?? meta;
  const findExposure = (context: RequestContext): Exposure =>
    native === undefined || isMetaRequest(context) ? meta : native;
  const findService = (context: RequestContext): McpService => findExposure(context).service;
  const readExpose = (context: RequestContext): Expose =>
    findExposure(context) === native ? 'native' : 'meta';
  const audit = { trail, readExpose };
  const refuseHeaders = (context: RequestContext) => findService(context).refuseHeaders?.(context);
  const refuseStatus = (context: RequestContext): ServiceAnswer | undefined => {
    const error = refuseHeaders(context);
    return error && { ok: false, error };
  };
  const capabilities = addStatusCapabilities(authStatus);
  const listResources = addStatusResource(authStatus);
  const refuse: NonNullable<McpService['refuseCall']> = (call, context) =>
    isStatusRead(call) ? refuseStatus(context) : findService(context).refuseCall?.(call, context);
  const subscribe: NonNullable<McpService['subscribe']> = async (uri, onUpdated, context) =>
    isStatusUri(uri)
      ? { ok: true, end: followStatus(authStatus, context.principal, onUpdated) }
      : ((await findService(context).subscribe?.(uri, onUpdated, context)) ??
        createResourceError(uri));
  const findTimer = ({ method, params }: ServiceCall, context: RequestContext) => {
    const exposure = findExposure(context);
    return exposure.timers.get(exposure === native ? method : String(params['name']));
  };
  /** A call of a core tool that writes needs `mcp:admin`, also through `call_tool`. */
  const findMissingScopes: McpService['missingScopes'] = ({ method, params }, context) => {
    if (method !== 'tools/call') return undefined;
    const name = readOwnField(params, 'name');
    const tool =
      findExposure(context) === native ? findText(name) : findCalledTool(name, params['arguments']);
    const sentence = tool === undefined ? undefined : writeRefusal(tool, context.principal);
    return sentence === undefined ? undefined : { scopes: [ADMIN_SCOPE], sentence };
  };
  return {
    info: main.info,
    ...(main.instructions !== undefined && { instructions: main.instructions }),
    get capabilities() {
      return capabilities(main.capabilities);
    },
    scopeHeaders: main.scopeHeaders ?? [],
    list: (method, context) => {
      const service = findService(context);
      return listResources(service, method, context);
    },
    call: createCallPath(
      {
        started: waitsForStart ? parts.started : undefined,
        audit,
        authStatus: { source: authStatus, refuse: refuseStatus },
        findTimer,
      },
      (call, context) => findService(context).call(call, context),
    ),
    refuseHeaders,
    refuseCall: (call, context) => auditRefusal(audit, call, context, () => refuse(call, context)),
    ...(native && {
      inputSchema: (tool, context) => findService(context).inputSchema?.(tool, context),
    }),
    ...(grantsAdmin && { missingScopes: findMissingScopes }),
    reachableTools: ({ principal }) => authStatus.reachableTools(principal),
    onListChanged: (listener) => followLists(main, authStatus, listener),
    clientEnded: (client) => {
      parts.downstream.endClient(client);
      parts.keptResults.endClient(client);
    },
    subscribe: (uri, onUpdated, context) =>
      auditSubscription(audit, uri, context, () => subscribe(uri, onUpdated, context)),
  };
}
