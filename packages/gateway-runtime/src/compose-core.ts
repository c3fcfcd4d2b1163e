import { warningEvents, type CatalogWarning } from '@gateway/catalog';
import { createCoreTools, type CoreTools } from '@gateway/core-tools';
import type { FileStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import { type GatewayConfig, servedConfig, type Address } from '@gateway/gateway-config';
import { coreToolPorts } from './core-tool-ports.ts';
import { followStore } from './follow-store.ts';
import type { Kept } from './gateway-services.ts';
import { createLiveCatalog, type LiveCatalog } from './live-catalog.ts';
import { createLiveWorkflows, type LiveWorkflows } from './workflows/live-workflows.ts';
import { workflowNews, type WorkflowNews } from './workflows/workflow-event-publisher.ts';

/** What the core of a gateway is made of. */
export interface CoreParts {
  readonly config: GatewayConfig;
  readonly store: FileStore;
  readonly kept: Kept;
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
  readonly news?: WorkflowNews | undefined;
}

/** Puts servers, workflows and core tools together to a catalog. */
export function composeCore(parts: CoreParts): GatewayCore {
  const { store, logger, kept, isSearched } = parts;
  // One process tells for all.
  const news = kept.isHere ? workflowNews(kept.events.emit) : undefined;
  const workflows = createLiveWorkflows(store.current().workflows);
  const coreTools = createCoreTools(
    coreToolPorts({
      kept,
      store,
      workflows,
      config: () => servedConfig(kept.live.config(), parts.address),
      snapshot: () => catalog.snapshot(),
    }),
  );
  const catalog = createLiveCatalog(
    {
      inventories: () => kept.downstream.inventories(),
      workflows: workflows.entries,
      coreTools: coreTools.entries,
    },
    {
      isSearched,
      ...(news && { onWarning: warningTeller(kept, logger), onSnapshot: news.take }),
    },
  );
  return { workflows, coreTools, catalog, news };
}

/** Makes servers, workflows and the catalog follow the store. @returns the way to stop it */
export function followDesired(
  { store, kept, logger }: Pick<CoreParts, 'store' | 'kept' | 'logger'>,
  { workflows, catalog, news }: GatewayCore,
): () => void {
  const { live, downstream, warnings } = kept;
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
  if (news !== undefined) void downstream.settled().then(news.begin);
  return () => {
    stop();
    unfollow();
  };
}

const warningTeller =
  ({ events }: Kept, logger: Logger) =>
  (warning: CatalogWarning, text: string): void => {
    logger.warn(text);
    for (const event of warningEvents(warning)) events.emit(event);
  };
