import { createCoreTools, type CoreTools } from '@gateway/core-tools';
import { createDownstream, type Downstream, type DownstreamOptions } from '@gateway/downstream';
import type { McpService } from '@gateway/mcp-http';
import { createMetaTools, createNativeSurface } from '@gateway/meta-tools';
import type { PresetSet } from '@gateway/preset-resolver';
import type { FileStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.ts';
import { coreToolPorts } from './core-tool-ports.ts';
import type { Expose } from './expose.ts';
import { followStore, type StoreFollowers } from './follow-store.ts';
import { gatewayService } from './gateway-service.ts';
import { createLiveCatalog, type LiveCatalog } from './live-catalog.ts';
import { createLiveConfiguration, type LiveConfiguration } from './live-configuration.ts';
import { nativeService } from './native-service.ts';
import { watchFeatures, type FeatureWatch } from './server-features.ts';
import { surfacePorts, type SurfacePorts } from './surface-ports.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { GATEWAY_VERSION } from './version.ts';
import { keepExecutions, type ExecutionKeeper } from './workflows/execution-keeper.ts';
import { createLiveWorkflows, type LiveWorkflows } from './workflows/live-workflows.ts';
import { logWorkflowWarnings, type WorkflowWarnings } from './workflows/workflow-warnings.ts';
import { runWorkflows } from './workflows/run-workflows.ts';

/** Where a gateway listens, once flags and configuration are combined. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a gateway is made of. */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly store: FileStore;
  readonly expose: Expose;
  /** The servers, when they are supervised elsewhere; without them they are supervised here. */
  readonly downstream?: Downstream;
  /** The records of runs, when they are kept elsewhere; without it they are kept here. */
  readonly executions?: ExecutionKeeper;
  /** Where records that are kept here are written; without it they end with the process. */
  readonly executionsDirectory?: string;
  /** Where warnings about workflows go, when that is elsewhere; without it they are logged here. */
  readonly workflowWarnings?: WorkflowWarnings;
  /** Absent when nothing listens. */
  readonly address?: Address;
  readonly logger: Logger;
  /** Open MCP sessions, for the metrics. */
  readonly sessions: () => number;
}

/** A running gateway, without the transport that callers use. */
export interface Gateway {
  readonly service: McpService;
  readonly metrics: Metrics;
  /** Whether every server that starts by itself was tried once. */
  readonly ready: () => boolean;
  /** Resolves when `ready` becomes true; within a bound, however servers behave. */
  readonly settled: Promise<void>;
  /** Ends all downstream servers and stops watching. */
  readonly close: () => Promise<void>;
}

/** Puts the packages together: desired state in, catalog and meta-tools out. The only place that knows them all. */
export function composeGateway(parts: GatewayParts): Gateway {
  const { store } = parts;
  const state = liveState(parts);
  const { downstream, executions, live, catalog } = state;
  const metrics = gatewayMetrics(parts, state);
  const features = watchFeatures(downstream);
  const ports = portsOf(parts, state, { metrics, features });
  downstream.onChange(catalog.refresh);
  const unfollow = followStore(store, followersOf(parts, state));
  return {
    service: serviceOf(parts, { ports, metrics, features, catalog, live }),
    metrics,
    ...readiness(downstream),
    close: async () => {
      unfollow();
      await Promise.all([store.close(), downstream.close(), executions.close()]);
    },
  };
}

/** Everything that changes while the gateway runs. */
interface LiveState {
  readonly downstream: Downstream;
  readonly executions: ExecutionKeeper;
  readonly warnings: WorkflowWarnings;
  readonly live: LiveConfiguration;
  readonly workflows: LiveWorkflows;
  readonly coreTools: CoreTools;
  readonly catalog: LiveCatalog;
}

function liveState(parts: GatewayParts): LiveState {
  const { store, logger, config } = parts;
  const { downstream = createDownstream(downstreamOptions(config, logger)) } = parts;
  const { executions = keepExecutions(parts, logger) } = parts;
  const { workflowWarnings: warnings = logWorkflowWarnings(logger) } = parts;
  const live = createLiveConfiguration(parts, logger);
  const workflows = createLiveWorkflows(store.current().workflows);
  const coreTools = createCoreTools(
    coreToolPorts({
      ...{ downstream, workflows, executions },
      config: () => servedConfig(live.config(), parts.address),
      snapshot: () => catalog.snapshot(),
      writer: store.workflows,
      warn: warnings.warn,
    }),
  );
  const catalog = createLiveCatalog(
    {
      inventories: () => downstream.inventories(),
      workflows: workflows.entries,
      coreTools: coreTools.entries,
    },
    (text) => {
      logger.warn(text);
    },
  );
  return { downstream, executions, warnings, live, workflows, coreTools, catalog };
}

/** The configuration in force, with the address that is served in fact. */
function servedConfig(config: GatewayConfig, address: Address | undefined): GatewayConfig {
  return { ...config, http: { ...config.http, ...address } };
}

function portsOf(
  { config, logger }: GatewayParts,
  state: LiveState,
  { metrics, features }: { readonly metrics: Metrics; readonly features: FeatureWatch },
): SurfacePorts {
  const { live, catalog } = state;
  const running = { ...state, metrics, config, logger, snapshot: catalog.snapshot };
  const callWorkflow = runWorkflows({ ...running, ports: () => ports });
  const presets = live.presets;
  const ports = surfacePorts({ ...state, presets, callWorkflow, metrics, features, logger });
  return ports;
}

function followersOf({ logger }: GatewayParts, state: LiveState): StoreFollowers {
  const { downstream, live, workflows, catalog, warnings } = state;
  return {
    live,
    logger,
    apply: (servers) => {
      downstream.apply(servers);
    },
    applyWorkflows: (resources, previous) => {
      warnings.follow(resources, previous);
      workflows.update(resources);
      catalog.refresh();
    },
  };
}

interface ServiceParts {
  readonly ports: SurfacePorts;
  readonly metrics: Metrics;
  readonly features: FeatureWatch;
  readonly catalog: LiveCatalog;
  readonly live: LiveConfiguration;
}

/** One catalog, two ways to show it. */
function serviceOf({ config, expose }: GatewayParts, parts: ServiceParts): McpService {
  const { ports, metrics, features, catalog, live } = parts;
  switch (expose) {
    case 'meta':
      return gatewayService({
        metaTools: createMetaTools(ports, { apiGroup: config.apiGroup }),
        metrics,
        features: features.together,
      });
    case 'native':
      return nativeService({
        surface: createNativeSurface(ports),
        metrics,
        features: features.together,
        onChange: (listener) => {
          const stops = [catalog.onChange(listener), live.onPresets(listener)];
          return () => {
            for (const stop of stops) stop();
          };
        },
      });
  }
}

/**
 * What servers of the 2025 revisions are told that clients can do, once per connection and before there is a caller. A question goes
 * to the caller of the call that it belongs to; where that one cannot answer it, the server is told so.
 */
const CLIENT_FEATURES = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
} as const;

/** Seconds that a request may take on its way to its server and back, and that a server has in any case. */
const ON_THE_WAY = 30;
const LEAST_OF_SERVER = 300;

/** How the gateway talks to servers, in whichever process. */
export function downstreamOptions({ http }: GatewayConfig, logger: Logger): DownstreamOptions {
  const serverSeconds = Math.max(LEAST_OF_SERVER, http.requestTimeoutSeconds - ON_THE_WAY);
  return {
    timeouts: { requestMs: serverSeconds * 1000 },
    clientInfo: { name: 'gateway', version: GATEWAY_VERSION },
    clientFeatures: CLIENT_FEATURES,
    log: ({ level, event, ...facts }) => {
      logger[level](facts, event);
    },
  };
}

function gatewayMetrics(
  { sessions }: GatewayParts,
  { catalog, downstream }: { readonly catalog: LiveCatalog; readonly downstream: Downstream },
): Metrics {
  return createMetrics({
    catalogSize: () => {
      const sizes = { tool: 0, workflow: 0, core: 0 };
      for (const { kind } of catalog.snapshot().tools) sizes[kind] += 1;
      return sizes;
    },
    serverStates: () => downstream.servers(),
    sessions,
  });
}

function readiness(downstream: Downstream): Pick<Gateway, 'ready' | 'settled'> {
  let ready = false;
  const settled = downstream.settled().then(() => {
    ready = true;
  });
  return { ready: () => ready, settled };
}
