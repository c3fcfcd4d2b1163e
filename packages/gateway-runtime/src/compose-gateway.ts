import type { Address, CoreToolWrites, Expose, GatewayConfig } from '@gateway/gateway-config';
import type { CallerSignInFact } from '@gateway/caller-auth';
import { KeyedSlots, type McpService } from '@gateway/mcp-http';
import type { PresetSet } from '@gateway/preset-resolver';
import type { StateDirectory } from '@gateway/files';
import type { GatewayStore } from '@gateway/resource-store';
import type { StateStore } from '@gateway/state-store';
import type { Downstream } from '@gateway/downstream';
import type { Logger } from 'pino';
import { createRefusalLog } from './audit/refusal-budget.ts';
import { composeCore, followDesired, type GatewayCore, preparationOf } from './compose-core.ts';
import type { CallerPreparation } from './http/prepare-callers.ts';
import { observeCallerSignIns } from './sign-in/observe-sign-ins.ts';
import {
  authStatusSource,
  type AuthStatusSource,
  gatewayResourcesOf,
} from './sign-in/auth-status.ts';
import { followReadiness, type GatewayReadiness } from './http/health-listener.ts';
import type { GatewayServices } from './gateway-services.ts';
import { createIsolation, type Isolation } from './isolation/isolated-functions.ts';
import { createServices } from './local/create-services.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createExposures } from './calls/exposures.ts';
import { followServerFeatures, type LiveServerFeatures } from './calls/server-features.ts';
import { createGatewayService, type ServiceOptions } from './calls/gateway-service.ts';
import { throughServerRequestStages } from './calls/stages.ts';
import { createSurfacePorts, type SurfacePorts } from './calls/surface-ports.ts';
import { openSearch, type OpenSearch } from './search/open-search.ts';
import { createWorkflowCaller, isolationLimits } from './workflows/create-workflow-caller.ts';

/** Options of {@link composeGateway}. */
export interface GatewayOptions {
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly store: GatewayStore;
  readonly expose: Expose;
  /** The configuration directory, to which relative paths refer. */
  readonly directory?: string;
  /** The directory for state that survives restarts. Without it the state is lost when the process ends. */
  readonly state?: StateDirectory | undefined;
  /** Sign-ins and tokens. The caller closes it. Without it they are in the memory of this process. */
  readonly stateStore?: StateStore;
  /** Directory of the records of runs. Without it they are lost when the process ends. */
  readonly executionsDirectory?: string;
  /** The listen address; absent for stdio. */
  readonly address?: Address;
  /** Which core tools that write are permitted. */
  readonly coreToolWrites: CoreToolWrites;
  readonly logger: Logger;
  /** Returns the number of calls that wait for other calls of their caller, for the metrics. */
  readonly queuedCalls?: () => number;
  /** Returns the number of open MCP sessions, for the metrics. */
  readonly sessions: () => number;
}

/** A running gateway without a transport. */
export interface Gateway {
  /** Creates the service that clients use. */
  readonly createService: (options?: ServiceOptions) => McpService;
  readonly metrics: Metrics;
  /** Records a request that the endpoint refused; absent when no audit log is written. */
  readonly onRequestRefused: ((code: string, peer?: string) => void) | undefined;
  /** Records a fact about a sign-in at the gateway. */
  readonly onCallerSignIn: (fact: CallerSignInFact) => void;
  /** Returns the servers, for the audiences of a sign-in. */
  readonly servers: Downstream['servers'];
  /** The answer of `/readyz`, and the end of the start. */
  readonly readiness: GatewayReadiness;
  /** The connections that requests of a person wait for. */
  readonly preparation: CallerPreparation;
  /** The services, for the listener. */
  readonly services: GatewayServices;
  /** Stops all downstream servers and the store. */
  readonly close: () => Promise<void>;
}

/** Composes a gateway: desired state in, a service out. */
export function composeGateway(options: GatewayOptions): Gateway {
  const { store, config, expose } = options;
  const metrics = createGatewayMetrics(options, () => state);
  const services = createServices({ ...options, metrics });
  const { downstream, live } = services;
  const core = composeCore({ ...options, services, signInObserver: metrics.signInSeen });
  const state = stateOf(options, core, { services, metrics });
  const { isolation, search, authStatus } = state;
  const { trail } = services;
  const features = followServerFeatures(downstream);
  const ports = portsOf(options, state, features);
  const readiness = followReadiness(downstream, store.read);
  const unfollow = followDesired({ ...options, services }, core);
  const exposures = createExposures(expose, {
    ...{ apiGroup: config.apiGroup, ports, features, metrics },
    onChange: (listener) => both(core.catalog.onChange(listener), live.onPresets(listener)),
  });
  return {
    createService: (transport) =>
      createGatewayService(
        {
          ...{ exposures, authStatus, trail, downstream },
          started: readiness.settled,
          writeRefusal: core.coreTools.writeRefusal,
        },
        transport,
      ),
    onRequestRefused:
      trail && ((code: string, peer?: string) => trail.countRefusal(`endpoint:${code}`, peer)),
    onCallerSignIn: observeCallerSignIns({ emit: services.events.emit, metrics, trail }),
    metrics,
    servers: () => downstream.servers(),
    readiness,
    services,
    preparation: preparationOf(services, core),
    close: async () => {
      unfollow();
      isolation.close();
      search.close();
      trail?.close();
      // The last events are stored with the resources.
      await services.close();
      await store.close();
    },
  };
}

interface GatewayState extends GatewayCore {
  readonly services: GatewayServices;
  readonly metrics: Metrics;
  /** The slots of the servers for requests. */
  readonly slots: KeyedSlots;
  readonly isolation: Isolation;
  readonly authStatus: AuthStatusSource;
  readonly search: OpenSearch;
}

function stateOf(
  options: GatewayOptions,
  core: GatewayCore,
  { services, metrics }: Pick<GatewayState, 'services' | 'metrics'>,
): GatewayState {
  const { config } = options;
  const { maxConcurrentCalls: maxRunning, maxQueuedCalls: maxQueued } = config.servers;
  return {
    ...{ ...core, services, metrics },
    slots: new KeyedSlots({ maxRunning, maxQueued }),
    isolation: createIsolation(isolationLimits(config)),
    authStatus: authStatusSource(services),
    search: openSearch(options),
  };
}

function portsOf(
  { config, logger }: GatewayOptions,
  state: GatewayState,
  features: LiveServerFeatures,
): SurfacePorts {
  const { metrics, catalog, signIn, workflows, coreTools, slots, isolation } = state;
  const { downstream, executions, events, live, trail } = state.services;
  const logRefusal = createRefusalLog(logger);
  const callWorkflow = createWorkflowCaller({
    ...{ workflows, executions, metrics, config, logger, logRefusal, trail },
    emit: events.emit,
    isolate: isolation.isolate,
    snapshot: catalog.snapshot,
    // A workflow may call a tool that runs a workflow.
    ports: () => ports,
  });
  const requests = throughServerRequestStages(
    { limits: { slots, onRefused: metrics.serverRefused }, serverTimer: metrics.serverTimer },
    downstream,
  );
  const ports = createSurfacePorts({
    ...{ catalog, downstream, features, logger, logRefusal },
    callWorkflow,
    presets: live.presets,
    search: state.search.port,
    signsPersonsIn: state.authStatus.isUsed,
    gatewayResources: gatewayResourcesOf(state.authStatus),
    signInLink: (server, { principal }) => signIn.linkOf(server, principal),
    coreTools,
    requests,
    onToolsetRefusal: (reason) => {
      metrics.toolsetRefused(reason);
      trail?.refuseCurrent(`toolset:${reason}`);
    },
  });
  return ports;
}

const both = (first: () => void, second: () => void) => (): void => {
  first();
  second();
};

function createGatewayMetrics(
  { sessions, queuedCalls = () => 0 }: GatewayOptions,
  state: () => GatewayState,
): Metrics {
  return createMetrics({
    catalogSize: () => {
      const sizes = { tool: 0, workflow: 0, core: 0 };
      for (const { kind } of state().catalog.shared().tools) sizes[kind] += 1;
      return sizes;
    },
    servers: () => state().services.downstream.servers(),
    personalConnections: () => state().services.downstream.personalConnections(),
    workflows: () => state().workflows.views(),
    sessions,
    queuedCalls,
    queuedRequests: () => state().slots.entries(),
  });
}
