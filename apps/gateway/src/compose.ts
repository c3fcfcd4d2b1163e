import { createCoreTools } from '@gateway/core-tools';
import { createDownstream, type DownstreamLogEvent } from '@gateway/downstream';
import type { McpService } from '@gateway/mcp-http';
import { createMetaTools } from '@gateway/meta-tools';
import type { PresetSet } from '@gateway/preset-resolver';
import { resourceProblemText, type FileStore, type StoreState } from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.ts';
import { coreToolPorts } from './core-tool-ports.ts';
import { gatewayService } from './gateway-service.ts';
import { createLiveCatalog } from './live-catalog.ts';
import { createLivePresets } from './live-presets.ts';
import { metaToolPorts } from './meta-tool-ports.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { GATEWAY_VERSION } from './version.ts';

/** What a gateway is made of. */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly store: FileStore;
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
  /** Ends all downstream servers and stops watching. */
  readonly close: () => Promise<void>;
}

/** Puts the packages together: desired state in, catalog and meta-tools out. The only place that knows them all. */
export function composeGateway(parts: GatewayParts): Gateway {
  const { config, store, logger } = parts;
  const downstream = createDownstream({
    clientInfo: { name: 'gateway', version: GATEWAY_VERSION },
    log: (event) => {
      logDownstream(logger, event);
    },
  });
  const coreTools = createCoreTools(coreToolPorts(downstream, () => config));
  const catalog = createLiveCatalog(
    { inventories: () => downstream.inventories(), coreTools: coreTools.entries },
    (text) => {
      logger.warn(text);
    },
  );
  const presets = createLivePresets(parts.presets, logger);
  const metrics = createMetrics({
    catalogSize: () => sizeByKind(catalog.snapshot().tools),
    serverStates: () => downstream.servers(),
    sessions: parts.sessions,
  });
  const metaTools = createMetaTools(
    metaToolPorts({
      catalog,
      presets: presets.current,
      downstream,
      coreTools,
      metrics: () => metrics,
      logger,
    }),
    { apiGroup: config.apiGroup },
  );

  downstream.onChange(catalog.refresh);
  const unsubscribe = store.subscribe((state, previous) => {
    logProblems(logger, state, previous);
    if (state.config !== previous.config) presets.update(state.config);
    if (state.servers !== previous.servers) downstream.apply(state.servers);
  });
  logProblems(logger, store.current());
  downstream.apply(store.current().servers);
  let ready = false;
  void downstream.settled().then(() => {
    ready = true;
  });

  return {
    service: gatewayService(metaTools, () => metrics),
    metrics,
    ready: () => ready,
    close: async () => {
      unsubscribe();
      await Promise.all([store.close(), downstream.close()]);
    },
  };
}

function logDownstream(logger: Logger, { level, event, ...facts }: DownstreamLogEvent): void {
  logger[level](facts, event);
}

function logProblems(logger: Logger, state: StoreState, previous?: StoreState): void {
  const known = new Set(problemLines(previous));
  for (const line of problemLines(state)) if (!known.has(line)) logger.error(line);
}

function problemLines(state: StoreState | undefined): readonly string[] {
  return [...(state?.configProblems ?? []), ...(state?.problems ?? [])].map(resourceProblemText);
}

function sizeByKind(
  tools: readonly { readonly kind: 'tool' | 'workflow' | 'core' }[],
): Record<'tool' | 'workflow' | 'core', number> {
  const sizes = { tool: 0, workflow: 0, core: 0 };
  for (const { kind } of tools) sizes[kind] += 1;
  return sizes;
}
