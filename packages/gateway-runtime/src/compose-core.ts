import { type CatalogSnapshot, type CatalogWarning, warningEvents } from '@gateway/catalog';
import { type CoreTools, createCoreTools } from '@gateway/core-tools';
import {
  type GatewayStore,
  resourceProblemText,
  type StoreState,
  type WorkflowResource,
} from '@gateway/resource-store';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  type Address,
  type CoreToolWrites,
  type GatewayConfig,
  type LiveConfiguration,
  servedConfig,
} from '@gateway/gateway-config';
import { createCoreToolPorts, runsPermitOf, writePermitOf } from './core-tool-ports.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { CallerPreparation } from './http/prepare-callers.ts';
import {
  createPersonalSignIn,
  type PersonalSignIn,
  type SignInObserver,
} from './sign-in/personal-sign-in.ts';
import { createLiveCatalog, type LiveCatalog } from './live-catalog.ts';
import {
  createLiveWorkflows,
  createWorkflowEventPublisher,
  type LiveWorkflows,
  type WorkflowEventPublisher,
} from './workflows/live-workflows.ts';
import { excludeGaps, excludeGapText, type PresetSet } from '@gateway/preset-resolver';
import type { McpServer } from '@gateway/crd-schemas';

/** Maximum number of remembered names; beyond it the oldest can be reported again. */
const MAX_REMEMBERED = 10_000;

/**
 * Returns a function that warns of tools that a pattern in `exclude` does not exclude because `*` stops at `/`: once for each preset,
 * pattern and name, at the start and after later changes of the catalog or the presets. @spec §2.2
 */
export function excludeGapReporter(
  warn: (text: string) => void,
): (presets: PresetSet, catalog: CatalogSnapshot) => void {
  const known = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  return (presets, catalog) => {
    for (const gap of excludeGaps(presets, catalog)) {
      const fresh = gap.names.filter((name) => {
        const identity = JSON.stringify([gap.preset, gap.pattern, name]);
        if (known.has(identity)) return false;
        known.set(identity, true);
        return true;
      });
      if (fresh.length > 0) warn(excludeGapText({ ...gap, names: fresh }));
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
 * @returns a function that stops it
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
  const known = new Set(problemLines(previous));
  for (const line of problemLines(state)) if (!known.has(line)) logger.error(line);
}

function problemLines(state: StoreState | undefined): readonly string[] {
  return [...(state?.configProblems ?? []), ...(state?.problems ?? [])].map(resourceProblemText);
}

/** Options of {@link composeCore}. */
interface CoreOptions {
  readonly config: GatewayConfig;
  readonly store: GatewayStore;
  readonly services: GatewayServices;
  /** The listen address; absent for stdio. */
  readonly address?: Address;
  /** Which core tools that write are permitted. */
  readonly coreToolWrites: CoreToolWrites;
  readonly logger: Logger;
  /** Receives the results of sign-ins to servers. */
  readonly signInObserver: SignInObserver;
}

/** The catalog and its sources, without a service. */
export interface GatewayCore {
  readonly workflows: LiveWorkflows;
  readonly coreTools: CoreTools;
  readonly catalog: LiveCatalog;
  readonly signIn: PersonalSignIn;
  readonly workflowEvents: WorkflowEventPublisher;
}

const signInOf = ({
  services: { signIn, downstream },
  signInObserver: observer,
}: CoreOptions): PersonalSignIn =>
  createPersonalSignIn({ auth: signIn.auth, attempts: signIn.attempts, downstream, observer });

/** Composes the catalog of servers, workflows and core tools. */
export function composeCore(options: CoreOptions): GatewayCore {
  const { store, logger, services, address, coreToolWrites: writes } = options;
  const workflowEvents = createWorkflowEventPublisher(services.events.emit);
  const workflows = createLiveWorkflows(store.current().workflows);
  const signIn = signInOf(options);
  const coreTools = createCoreTools(
    createCoreToolPorts({
      services,
      store,
      workflows,
      signIn,
      config: () => servedConfig(services.live.config(), { address, writes }),
      mayWrite: writePermitOf(writes, options.config.auth),
      seesAllRuns: runsPermitOf(options.config.auth),
      snapshot: (principal) => catalog.snapshot(principal),
    }),
  );
  const catalog = createLiveCatalog(
    {
      inventories: () => services.downstream.inventories(),
      contestedNames: () => services.downstream.contestedNames(),
      inventoriesFor: (principal) => services.downstream.inventoriesFor(principal),
      contestedNamesIn: (inventories) => services.downstream.contestedNamesIn(inventories),
      workflows: workflows.entries,
      coreTools: coreTools.entries,
    },
    {
      onWarning: warningReporter(services, logger),
      onSnapshot: workflowEvents.update,
    },
  );
  return { workflows, coreTools, catalog, signIn, workflowEvents };
}

/** Applies changes of the store to servers, workflows and the catalog. @returns a function that stops it */
export function followDesired(
  { store, services, logger }: Pick<CoreOptions, 'store' | 'services' | 'logger'>,
  { workflows, catalog, signIn, workflowEvents }: GatewayCore,
): () => void {
  const { live, downstream, warnings } = services;
  const stopRefresh = downstream.onChange((changedFor) => {
    if (changedFor === 'all') catalog.refresh();
    else catalog.personalChanged(changedFor);
  });
  const unfollow = followStore(store, {
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

/** Reports gaps of presets after each change of the catalog or the presets. @returns functions that stop it */
const reportExcludeGaps = (
  live: GatewayServices['live'],
  catalog: LiveCatalog,
  logger: Logger,
): readonly (() => void)[] => {
  const reportGaps = excludeGapReporter((text) => {
    logger.warn(text);
  });
  const report = (): void => {
    reportGaps(live.presets(), catalog.shared());
  };
  return [
    live.onPresets(report),
    catalog.onChange((principalKeys) => {
      if (principalKeys === undefined) report();
    }),
  ];
};

const warningReporter =
  ({ events }: GatewayServices, logger: Logger) =>
  (warning: CatalogWarning, text: string): void => {
    logger.warn(text);
    for (const event of warningEvents(warning)) events.emit(event);
  };

/** Returns the connections that requests of a person wait for. */
export const preparationOf = (
  { downstream }: GatewayServices,
  { signIn }: GatewayCore,
): CallerPreparation => ({
  prepare: (principal) => downstream.prepare(principal),
  connecting: (principalKey) => signIn.connecting(principalKey),
});
