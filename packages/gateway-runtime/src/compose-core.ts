import { warningEvents, type CatalogWarning } from '@gateway/catalog';
import { createCoreTools, type CoreTools } from '@gateway/core-tools';
import type { FileStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import { type GatewayConfig, servedConfig, type Address } from '@gateway/gateway-config';
import { coreToolPorts } from './core-tool-ports.ts';
import { followStore } from './follow-store.ts';
import type { GatewayServices } from './gateway-services.ts';
import { createLiveCatalog, type LiveCatalog } from './live-catalog.ts';
import { createLiveWorkflows, type LiveWorkflows } from './workflows/live-workflows.ts';
import {
  createWorkflowEventPublisher,
  type WorkflowEventPublisher,
} from './workflows/workflow-event-publisher.ts';

/** What the core of a gateway is made of. */
export interface CoreParts {
  readonly config: GatewayConfig;
  readonly store: FileStore;
  readonly services: GatewayServices;
  /** Absent when nothing listens. */
  readonly address?: Address;
  readonly logger: Logger;
  /** Whether callers search the catalog in this process. */
  readonly isSearched: boolean;
}

/** The catalog and what it is made of, without any way to serve it. */
export interface GatewayCore {
  readonly workflows: LiveWorkflows;
  readonly coreTools: CoreTools;
  readonly catalog: LiveCatalog;
  /** Absent where another process tells of the workflows. */
  readonly workflowEvents?: WorkflowEventPublisher | undefined;
}

/** Puts servers, workflows and core tools together to a catalog. */
export function composeCore(parts: CoreParts): GatewayCore {
  const { store, logger, services, isSearched } = parts;
  // One process tells for all.
  const workflowEvents = services.isLocal
    ? createWorkflowEventPublisher(services.events.emit)
    : undefined;
  const workflows = createLiveWorkflows(store.current().workflows);
  const coreTools = createCoreTools(
    coreToolPorts({
      services,
      store,
      workflows,
      config: () => servedConfig(services.live.config(), parts.address),
      snapshot: () => catalog.snapshot(),
    }),
  );
  const catalog = createLiveCatalog(
    {
      inventories: () => services.downstream.inventories(),
      workflows: workflows.entries,
      coreTools: coreTools.entries,
    },
    {
      isSearched,
      ...(workflowEvents && {
        onWarning: warningReporter(services, logger),
        onSnapshot: workflowEvents.update,
      }),
    },
  );
  return { workflows, coreTools, catalog, workflowEvents };
}

/** Makes servers, workflows and the catalog follow the store. @returns the way to stop it */
export function followDesired(
  { store, services, logger }: Pick<CoreParts, 'store' | 'services' | 'logger'>,
  { workflows, catalog, workflowEvents }: GatewayCore,
): () => void {
  const { live, downstream, warnings } = services;
  const stop = downstream.onChange(catalog.refresh);
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
  if (workflowEvents !== undefined) void downstream.settled().then(workflowEvents.begin);
  return () => {
    stop();
    unfollow();
  };
}

const warningReporter =
  ({ events }: GatewayServices, logger: Logger) =>
  (warning: CatalogWarning, text: string): void => {
    logger.warn(text);
    for (const event of warningEvents(warning)) events.emit(event);
  };
