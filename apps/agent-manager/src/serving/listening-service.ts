import { MAX_BODY_BYTES } from '@gateway/agent-manager-client';
import type { AgentService, AgentStore } from '@gateway/agent-releases';
import { createForeignCheck, createMcpHttp, serveHttp, type McpHttp } from '@gateway/mcp-http';
import type { Logger } from 'pino';
import { agentManagerMcp } from '../mcp/mcp-service.ts';
import { errorListener } from '../logging/error-listener.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import type { RunOperation } from '../operations/operation-call.ts';
import { createRunOperation } from '../operations/run-operation.ts';
import { createDocuments } from '../rest/documents.ts';
import { restFace } from '../rest/rest-face.ts';
import { routesOf } from './routes.ts';

/** What is served, and where. */
export interface ListeningServiceParts {
  readonly service: AgentService;
  readonly store: Pick<AgentStore, 'check' | 'watch'>;
  readonly namespaces: readonly string[];
  readonly address: { readonly host: string; readonly port: number };
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Signs session ids: replicas with one key serve each other's sessions. */
  readonly sessionKey?: Uint8Array;
  readonly logger: Logger;
}

/** An agent-manager that serves HTTP. */
export interface ListeningService {
  readonly url: string;
  /** Takes no new connections and lets running requests finish; within `timeoutMs` nothing runs any more. */
  readonly drain: (timeoutMs: number) => Promise<void>;
}

/** Serves both faces over one service; rejects when the address cannot be taken, and leaves nothing behind. */
export async function listeningService(parts: ListeningServiceParts): Promise<ListeningService> {
  const { service, store, logger } = parts;
  const metrics = createMetrics({
    sessions: () => mcp.stats().sessions,
    storeReachable: async () => (await store.check()).ok,
  });
  const run = createRunOperation({ service, logger, metrics });
  const mcp = createMcpHttp(agentManagerMcp(run), endpointOptions(parts, metrics));
  const unwatch = store.watch(parts.namespaces, (change) => {
    metrics.storeChanged(change);
  });
  try {
    return await listen({ parts, mcp, run, metrics, unwatch });
  } catch (error) {
    unwatch();
    await mcp.close();
    throw error;
  }
}

interface Made {
  readonly parts: ListeningServiceParts;
  readonly mcp: McpHttp;
  readonly run: RunOperation;
  readonly metrics: Metrics;
  readonly unwatch: () => void;
}

async function listen({ parts, mcp, run, metrics, unwatch }: Made): Promise<ListeningService> {
  let draining = false;
  const isDraining = (): boolean => draining;
  const onError = errorListener(parts.logger);
  const serving = await serveHttp({
    ...parts.address,
    mcp,
    routes: routesOf({ isDraining, scrape: () => metrics.scrape() }),
    prefixes: {
      '/': restFace({
        run,
        documents: createDocuments(),
        foreign: createForeignCheck(guardOf(parts)),
        isDraining,
        onRefused: (status) => {
          metrics.httpRefused('rest', String(status));
        },
        onError,
      }),
    },
    onRequest: ({ status }) => {
      if (status !== undefined) metrics.httpAnswered(status);
    },
    onError,
  });
  return {
    url: serving.url,
    drain: async (timeoutMs) => {
      draining = true;
      await serving.drain(timeoutMs);
      unwatch();
    },
  };
}

const guardOf = ({ allowedHosts = [], allowedOrigins = [] }: ListeningServiceParts) => ({
  allowedHosts,
  allowedOrigins,
});

function endpointOptions(
  parts: ListeningServiceParts,
  metrics: Metrics,
): Parameters<typeof createMcpHttp>[1] {
  const { sessionKey, logger } = parts;
  return {
    ...guardOf(parts),
    ...(sessionKey !== undefined && { sessionKey }),
    limits: { maxBodyBytes: MAX_BODY_BYTES },
    onRefusal: (code) => {
      metrics.httpRefused('mcp', code);
    },
    onError: errorListener(logger),
  };
}
