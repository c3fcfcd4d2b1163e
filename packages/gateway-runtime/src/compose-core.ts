import { warningEvents, type CatalogWarning } from '@gateway/catalog';
import { createCoreTools, type CoreTools } from '@gateway/core-tools';
import type { GatewayStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import {
  type GatewayConfig,
  servedConfig,
  type Address,
  type CoreToolWrites,
} from '@gateway/gateway-config';
import { runsPermitOf, writePermitOf } from './core-tool-access.ts';
import { createCoreToolPorts } from './core-tool-ports.ts';
import { followStore } from './follow-store.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { CallerPreparation } from './http/prepare-callers.ts';
import type { SignInObserver } from './sign-in/sign-in-observer.ts';
import { createPersonalSignIn, type PersonalSignIn } from './sign-in/personal-sign-in.ts';
import { createLiveCatalog, type LiveCatalog } from './live-catalog.ts';
import { excludeGapReporter } from './report-exclude-gaps.ts';
import { createLiveWorkflows, type LiveWorkflows } from './workflows/live-workflows.ts';
import {
  createWorkflowEventPublisher,
  type WorkflowEventPublisher,
} from './workflows/workflow-event-publisher.ts';

/** Options of {@link composeCore}. */
export interface CoreOptions {
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
