import type { McpService } from '@gateway/mcp-http';
import { createMetaTools, createNativeSurface } from '@gateway/meta-tools';
import type { PresetSet } from '@gateway/preset-resolver';
import type { FileStore, StateDirectory } from '@gateway/resource-store';
import type { Downstream } from '@gateway/downstream';
import type { Logger } from 'pino';
import type { GatewayConfig, Expose, Address } from '@gateway/gateway-config';
import { composeCore, followDesired, type GatewayCore } from './compose-core.ts';
import { gatewayService } from './services/meta-tool-service.ts';
import { createLocalServices } from './local/create-local-services.ts';
import type { GatewayServices } from './gateway-services.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { nativeService } from './services/native-service.ts';
import { watchFeatures, type FeatureWatch } from './services/server-features.ts';
import { surfacePorts, type SurfacePorts } from './services/surface-ports.ts';
import { runWorkflows } from './workflows/run-workflows.ts';

/** What a gateway is made of. */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly store: FileStore;
  readonly expose: Expose;
  /** What another process keeps for this one; without it everything is kept here. */
  readonly services?: GatewayServices;
  /** The configuration directory, from which relative paths count. */
  readonly directory?: string;
  /** What is remembered over restarts, where it is kept here. */
  readonly state?: StateDirectory | undefined;
  /** Where records that are kept here are written; without it they end with the process. */
  readonly executionsDirectory?: string;
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
  const metrics = gatewayMetrics(parts, () => state);
  const { services = createLocalServices({ ...parts, metrics }) } = parts;
  const { downstream } = services;
  const state: GatewayState = {
    services,
    ...composeCore({ ...parts, services, isSearched: true }),
  };
  const features = watchFeatures(downstream);
  const ports = portsOf(parts, state, { metrics, features });
  const unfollow = followDesired({ ...parts, services }, state);
  return {
    service: serviceOf(parts, { ports, metrics, features, state }),
    metrics,
    ...readiness(downstream),
    close: async () => {
      unfollow();
      await Promise.all([store.close(), services.close()]);
    },
  };
}

/** Everything that changes while the gateway runs. */
interface GatewayState extends GatewayCore {
  readonly services: GatewayServices;
}

function portsOf(
  { config, logger }: GatewayParts,
  state: GatewayState,
  { metrics, features }: { readonly metrics: Metrics; readonly features: FeatureWatch },
): SurfacePorts {
  const { services, workflows, catalog } = state;
  const { executions, events, live } = services;
  const running = { workflows, executions, metrics, config, logger, report: events.emit };
  const callWorkflow = runWorkflows({ ...running, snapshot: catalog.snapshot, ports: () => ports });
  const parts = { ...state, downstream: services.downstream, presets: live.presets };
  const ports = surfacePorts({ ...parts, callWorkflow, metrics, features, logger });
  return ports;
}

interface ServiceParts {
  readonly ports: SurfacePorts;
  readonly metrics: Metrics;
  readonly features: FeatureWatch;
  readonly state: GatewayState;
}

/** One catalog, two ways to show it. */
function serviceOf({ config, expose }: GatewayParts, parts: ServiceParts): McpService {
  const { ports, metrics, features, state } = parts;
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
          const { catalog, services } = state;
          const stops = [catalog.onChange(listener), services.live.onPresets(listener)];
          return () => {
            for (const stop of stops) stop();
          };
        },
      });
  }
}

function gatewayMetrics({ sessions }: GatewayParts, state: () => GatewayState): Metrics {
  return createMetrics({
    catalogSize: () => {
      const sizes = { tool: 0, workflow: 0, core: 0 };
      for (const { kind } of state().catalog.snapshot().tools) sizes[kind] += 1;
      return sizes;
    },
    servers: () => state().services.downstream.servers(),
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
