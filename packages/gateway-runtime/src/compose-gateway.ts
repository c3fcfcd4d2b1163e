import { type CatalogSnapshot, type CatalogWarning, listWarningEvents } from '@gateway/catalog';
import { type CoreTools, createCoreTools } from '@gateway/core-tools';
import {
  type GatewayStore,
  type StoreState,
  type WorkflowResource,
  formatProblem,
} from '@gateway/resource-store';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  type Address,
  type CoreToolWrites,
  type Expose,
  type GatewayConfig,
  type LiveConfiguration,
  applyCommandLine,
} from '@gateway/gateway-config';
import { createCoreToolPorts, createRunsPermit, createWritePermit } from './core-tool-ports.ts';
import { type GatewayServices, createServices } from './local/create-services.ts';
import { type SignInObserver, UserSignIn } from './sign-in/user-sign-in.ts';
import {
  type LiveCatalog,
  createLiveCatalog,
  type LiveWorkflows,
  type WorkflowEventPublisher,
  createLiveWorkflows,
  createWorkflowEventPublisher,
  type LiveServers,
  followServers,
} from './live-catalog.ts';
import { type PresetSet, formatExcludeGap, listExcludeGaps } from '@gateway/preset-resolver';
import type { McpServer } from '@gateway/crd-schemas';
import type { CallerSignInFact } from '@gateway/caller-auth';
import type { McpService } from '@gateway/mcp-http';
import type { StateDirectory } from '@gateway/files';
import { createMemoryStore, type StateStore } from '@gateway/state-store';
import type { Downstream } from '@gateway/downstream';
import { createRefusalLog } from './audit/refusal-budget.ts';
import { observeCallerSignIns } from './sign-in/observe-sign-ins.ts';
import {
  type AuthStatusSource,
  createAuthStatusSource,
  createGatewayResources,
} from './calls/auth-status-stage.ts';
import { type GatewayReadiness, followReadiness } from './http/health-listener.ts';
import { type Isolation, createIsolation } from './isolation/isolated-functions.ts';
import { type GatewayMetrics, createMetrics } from './metrics/metrics.ts';
import {
  type ServiceOptions,
  createExposures,
  createGatewayService,
} from './calls/gateway-service.ts';
import { type SurfacePorts, createSurfacePorts } from './calls/surface-ports.ts';
import { findResultLimit, KeptResults } from './calls/kept-results.ts';
import { ServerLimits } from './calls/limits-stage.ts';
import { createRequestPath } from './calls/stages.ts';
import { type OpenSearch, openSearch } from './search/open-search.ts';
import { createWorkflowCaller, toIsolationLimits } from './workflows/create-workflow-caller.ts';

/** Maximum number of cached names; evicted names may be reported again. */
const MAX_REMEMBERED = 10_000;

/**
 * Returns a function that warns of tools that a pattern in `exclude` does not exclude because `*` stops at `/`: once for each preset,
 * pattern and name, at the start and after later changes of the catalog or the presets. @spec §2.2
 */
export function createExcludeGapReporter(
  warn: (text: string) => void,
): (presets: PresetSet, catalog: CatalogSnapshot) => void {
  const known = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  return (presets, catalog) => {
    for (const gap of listExcludeGaps(presets, catalog)) {
      const fresh = gap.names.filter((name) => {
        const identity = JSON.stringify([gap.preset, gap.pattern, name]);
        if (known.has(identity)) return false;
        known.set(identity, true);
        return true;
      });
      if (fresh.length > 0) warn(formatExcludeGap({ ...gap, names: fresh }));
    }
  };
}

/** The receivers of the desired state. */
interface StoreFollowers {
  readonly live: LiveConfiguration;
  readonly apply: (servers: readonly McpServer[]) => void;
  readonly applyWorkflows: (
    workflows: readonly WorkflowResource[],
    previous: readonly WorkflowResource[],
  ) => void;
  readonly logger: Logger;
}

/**
 * Applies the servers and workflows of the store now and after each change, and each edit of its configuration.
 *
 * @returns a function that stops following the store
 */
function followStore(store: GatewayStore, followers: StoreFollowers): () => void {
  const { live, apply, applyWorkflows, logger } = followers;
  const first = store.current();
  logProblems(logger, first);
  apply(first.servers);
  applyWorkflows(first.workflows, []);
  return store.subscribe((state, previous) => {
    logProblems(logger, state, previous);
    if (state.config !== previous.config) live.update(state.config);
    if (state.servers !== previous.servers) apply(state.servers);
    if (state.workflows !== previous.workflows) applyWorkflows(state.workflows, previous.workflows);
  });
}

/** Logs each problem once, not again when something else changes. */
function logProblems(logger: Logger, state: StoreState, previous?: StoreState): void {
  const known = new Set(listProblemLines(previous));
  for (const line of listProblemLines(state)) if (!known.has(line)) logger.error(line);
}

function listProblemLines(state: StoreState | undefined): readonly string[] {
  return [...(state?.configProblems ?? []), ...(state?.problems ?? [])].map(formatProblem);
}

/** The catalog and its sources, without a service. */
interface GatewayCore {
  readonly workflows: LiveWorkflows;
  readonly coreTools: CoreTools;
  readonly catalog: LiveCatalog;
  readonly signIn: UserSignIn;
  readonly workflowEvents: WorkflowEventPublisher;
  readonly limits: ServerLimits;
}

/** Composes the catalog of servers, workflows and core tools. */
function composeCore(
  { config, store, logger, address, coreToolWrites: writes }: GatewayOptions,
  services: GatewayServices,
  observer: SignInObserver,
  limits: ServerLimits,
): GatewayCore {
  const { downstream } = services;
  const { auth, attempts } = services.signIn;
  const workflowEvents = createWorkflowEventPublisher(services.events.emit);
  const workflows = createLiveWorkflows(store.current().workflows);
  const signIn = new UserSignIn({ auth, attempts, downstream, observer });
  const coreTools = createCoreTools(
    createCoreToolPorts({
      services,
      store,
      workflows,
      signIn,
      config: () => applyCommandLine(services.live.config(), { address, writes }),
      mayWrite: createWritePermit(writes, config.auth),
      seesAllRuns: createRunsPermit(config.auth),
      snapshot: (principal) => catalog.snapshot(principal),
      requestLoad: (server) => limits.findLoad(server),
    }),
  );
  const catalog = createLiveCatalog(
    { ...downstream, workflows: workflows.entries, coreTools: coreTools.entries },
    {
      onWarning: createWarningReporter(services, logger),
      onSnapshot: workflowEvents.update,
    },
  );
  return { workflows, coreTools, catalog, signIn, workflowEvents, limits };
}

/** Applies changes of the store to servers, workflows and the catalog. @returns a function that stops the updates */
function followDesired(
  { store, logger }: GatewayOptions,
  { live, downstream, warnings }: GatewayServices,
  { workflows, catalog, signIn, workflowEvents, limits }: GatewayCore,
): () => void {
  const stopRefresh = downstream.onChange((changedFor) => {
    if (changedFor === 'all') catalog.refresh();
    else catalog.usersChanged(changedFor);
  });
  const unfollow = followStore(store, {
    live,
    logger,
    apply: (servers) => {
      limits.apply(servers);
      downstream.apply(servers);
    },
    applyWorkflows: (resources, previous) => {
      warnings.follow(resources, previous);
      workflows.update(resources);
      catalog.refresh();
    },
  });
  const unreport = reportExcludeGaps(live, catalog, logger);
  void downstream.settled().then(() => workflowEvents.begin(catalog.shared()));
  return () => {
    signIn.close();
    stopRefresh();
    unfollow();
    for (const stop of unreport) stop();
  };
}

/** Reports gaps of presets after each change of the catalog or the presets. @returns functions that stop the reports */
const reportExcludeGaps = (
  live: GatewayServices['live'],
  catalog: LiveCatalog,
  logger: Logger,
): readonly (() => void)[] => {
  const reportGaps = createExcludeGapReporter((text) => {
    logger.warn(text);
  });
  let presets = findExcludingPresets(live.presets());
  const report = (): void => {
    if (presets !== undefined) reportGaps(presets, catalog.shared());
  };
  return [
    live.onPresets(() => {
      presets = findExcludingPresets(live.presets());
      report();
    }),
    catalog.onChange((principalKeys) => {
      if (principalKeys === undefined) report();
    }),
  ];
};

/** Returns the presets; `undefined` when none of them excludes anything. */
const findExcludingPresets = (presets: PresetSet): PresetSet | undefined =>
  [...presets.byName.values()].some(({ exclude }) => exclude.length > 0) ? presets : undefined;

const createWarningReporter =
  ({ events }: GatewayServices, logger: Logger) =>
  (warning: CatalogWarning, text: string): void => {
    logger.warn(text);
    for (const event of listWarningEvents(warning)) events.emit(event);
  };

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
  readonly metrics: GatewayMetrics;
  /** Records a request that the endpoint refused. */
  readonly onRequestRefused: (code: string, peer?: string) => void;
  /** Records a fact about a sign-in at the gateway. */
  readonly onCallerSignIn: (fact: CallerSignInFact) => void;
  /** Returns the servers, for the audiences of a sign-in. */
  readonly servers: Downstream['servers'];
  /** The answer of `/readyz`, and the end of the start. */
  readonly readiness: GatewayReadiness;
  /** The sign-ins of users to servers. */
  readonly signIn: UserSignIn;
  /** The services, for the listener. */
  readonly services: GatewayServices;
  /** Stops all downstream servers and the store. */
  readonly close: () => Promise<void>;
}

/** Composes a gateway, which applies the desired state and creates services for transports. */
export function composeGateway(options: GatewayOptions): Gateway {
  const { store, config, expose } = options;
  const metrics = createGatewayMetrics(options, () => state);
  const services = createServices({ ...options, metrics });
  const { downstream, live } = services;
  const servers = followServers(downstream);
  const { maxConcurrentCalls: maxRunning, maxQueuedCalls: maxQueued } = config.servers;
  const limits = new ServerLimits(
    { maxRunning, maxQueued },
    {
      onRefused: metrics.serverRefused,
      emit: services.events.emit,
      now: () => performance.now(),
    },
  );
  const core = composeCore(options, services, metrics.signInSeen, limits);
  const state: GatewayState = {
    ...core,
    services,
    isolation: createIsolation(toIsolationLimits(config)),
    authStatus: createAuthStatusSource(services, servers),
    keptResults: new KeptResults({
      apiGroup: config.apiGroup,
      store: options.stateStore ?? createMemoryStore(),
      findMaxBytes: findResultLimit(servers, config),
    }),
    search: openSearch(options),
  };
  const { isolation, search, authStatus, keptResults } = state;
  const { trail } = services;
  const ports = createPorts(options, state, metrics, servers);
  const readiness = followReadiness(downstream, store.read);
  const unfollow = followDesired(options, services, core);
  const exposures = createExposures(expose, {
    apiGroup: config.apiGroup,
    pageSize: config.metaTools.pageSize,
    ports,
    servers,
    metrics,
    onChange: (listener) => joinStops(core.catalog.onChange(listener), live.onPresets(listener)),
  });
  return {
    createService: (transport) =>
      createGatewayService(
        {
          exposures,
          authStatus,
          trail,
          downstream,
          keptResults,
          started: readiness.settled,
          writeRefusal: core.coreTools.writeRefusal,
        },
        transport,
      ),
    onRequestRefused: (code, peer) => {
      trail.countRefusal(`endpoint:${code}`, peer);
    },
    onCallerSignIn: observeCallerSignIns({
      emit: services.events.emit,
      metrics,
      trail,
      onSignedOut: (user) => keptResults.endUser(user),
    }),
    metrics,
    servers: () => downstream.servers(),
    readiness,
    services,
    signIn: core.signIn,
    close: async () => {
      unfollow();
      isolation.close();
      search.close();
      trail.close();
      // The last events are stored with the resources.
      await services.close();
      await store.close();
    },
  };
}

interface GatewayState extends GatewayCore {
  readonly services: GatewayServices;
  readonly isolation: Isolation;
  readonly authStatus: AuthStatusSource;
  readonly keptResults: KeptResults;
  readonly search: OpenSearch;
}

function createPorts(
  { config, logger }: GatewayOptions,
  state: GatewayState,
  metrics: GatewayMetrics,
  servers: LiveServers,
): SurfacePorts {
  const { catalog, signIn, workflows, coreTools, limits, isolation } = state;
  const { downstream, executions, events, live, trail } = state.services;
  const logRefusal = createRefusalLog(logger);
  const callWorkflow = createWorkflowCaller({
    workflows,
    executions,
    metrics,
    config,
    logger,
    logRefusal,
    trail,
    emit: events.emit,
    isolate: isolation.isolate,
    snapshot: catalog.snapshot,
    // A workflow may call a tool that runs a workflow.
    ports: () => ports,
  });
  const requests = createRequestPath(limits, metrics.serverTimer, downstream);
  const ports = createSurfacePorts({
    catalog,
    downstream,
    servers,
    logger,
    logRefusal,
    callWorkflow,
    presets: live.presets,
    search: state.search.port,
    signsUsersIn: state.authStatus.isUsed,
    keptResults: state.keptResults,
    gatewayResources: createGatewayResources(state.authStatus),
    checksArguments: (server) =>
      servers.findSpec(server)?.checkArguments ?? config.servers.checkArguments,
    signInLink: (server, { principal }) => signIn.createLink(server, principal),
    coreTools,
    requests,
    onToolsetRefusal: (reason) => {
      metrics.toolsetRefused(reason);
      trail.refuseCurrent(`toolset:${reason}`);
    },
  });
  return ports;
}

const joinStops = (first: () => void, second: () => void) => (): void => {
  first();
  second();
};

function createGatewayMetrics(
  { sessions, queuedCalls = () => 0 }: GatewayOptions,
  state: () => GatewayState,
): GatewayMetrics {
  return createMetrics({
    catalogSize: () => {
      const sizes = { tool: 0, workflow: 0, core: 0 };
      for (const { kind } of state().catalog.shared().tools) sizes[kind] += 1;
      return sizes;
    },
    servers: () => state().services.downstream.servers(),
    userConnections: () => state().services.downstream.userConnections(),
    workflows: () => state().workflows.views(),
    sessions,
    queuedCalls,
    serverLoads: () => state().limits.loads(),
  });
}
