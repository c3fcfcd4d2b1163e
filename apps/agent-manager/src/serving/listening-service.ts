import { MAX_BODY_BYTES } from '@gateway/agent-manager-client';
import type { AgentStore } from '@gateway/agent-releases';
import {
  createAgentManagerMcp,
  createDocuments,
  createMetrics,
  createRestTransport,
  createRunOperation,
  type ServiceMetrics,
  type Service,
  type SignIn,
} from '@gateway/agent-manager-service';
import {
  createForeignCheck,
  type ForeignCheck,
  createMcpHttp,
  serveHttp,
  type HttpServing,
  type McpHttp,
  serveOtherOrigins,
  type RouteHandler,
} from '@gateway/mcp-http';
import { createProcessRoutes, logInternalErrors } from '@gateway/service-host';
import type { Logger } from 'pino';
import { AGENT_MANAGER_VERSION as version } from '../version.ts';

/** The service, its address and its log. */
export interface ListeningServiceOptions {
  readonly resolveService: Service;
  readonly store: Pick<AgentStore, 'check' | 'watch'>;
  readonly namespaces: readonly string[];
  readonly address: { readonly host: string; readonly port: number };
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Signs session ids: replicas with the same key serve each other's sessions. */
  readonly sessionKey?: Uint8Array;
  /** The sign-in of callers; absent where they do not sign in. */
  readonly signIn?: SignIn;
  readonly logger: Logger;
}

/** An agent-manager that serves HTTP. */
export interface ListeningService {
  readonly url: string;
  /** Accepts no new connections and waits for running requests, at most `timeoutMs`. */
  readonly drain: (timeoutMs: number) => Promise<void>;
}

/** Serves REST and MCP over one service. Closes everything and rejects when the address is not available. */
export async function startListening(options: ListeningServiceOptions): Promise<ListeningService> {
  const { resolveService, store, logger, namespaces } = options;
  const metrics = createMetrics({
    sessions: () => mcp.stats().sessions,
    storeReachable: async () => (await store.check()).ok,
  });
  const run = createRunOperation({ resolveService, logger, metrics });
  const mcp = createMcpHttp(createAgentManagerMcp(run, version), toMcpOptions(options, metrics));
  const unwatch = store.watch(namespaces, metrics.recordChange);
  let isDraining = false;
  const foreign = createForeignCheck(toHostGuard(options));
  const rest = serveOtherOrigins(
    toHostGuard(options),
    createRestHandler(options, { run, metrics, foreign, isDraining: () => isDraining }),
  );
  try {
    const serving = await listen(options, {
      mcp,
      rest,
      metrics,
      foreign: createScraperCheck(options),
      isDraining: () => isDraining,
    });
    return {
      url: serving.url,
      drain: async (timeoutMs) => {
        isDraining = true;
        await serving.drain(timeoutMs);
        unwatch();
      },
    };
  } catch (error) {
    unwatch();
    await mcp.close();
    throw error;
  }
}

const createRestHandler = (
  { signIn, logger }: ListeningServiceOptions,
  { run, metrics, foreign, isDraining }: RestParts,
): RouteHandler =>
  createRestTransport({
    run,
    foreign,
    isDraining,
    documents: createDocuments({ version }),
    ...(signIn !== undefined && { authenticate: signIn.authenticate }),
    onRefused: (status) => {
      metrics.recordRefusal('rest', String(status));
    },
    onError: logInternalErrors(logger),
  });

interface RestParts {
  readonly run: ReturnType<typeof createRunOperation>;
  readonly metrics: ServiceMetrics;
  readonly foreign: ForeignCheck;
  readonly isDraining: () => boolean;
}

interface Handlers {
  readonly mcp: McpHttp;
  readonly rest: RouteHandler;
  readonly metrics: ServiceMetrics;
  readonly foreign: ForeignCheck;
  readonly isDraining: () => boolean;
}

const listen = (
  { address, logger, signIn }: ListeningServiceOptions,
  { mcp, rest, metrics, foreign, isDraining }: Handlers,
): Promise<HttpServing> =>
  serveHttp({
    ...address,
    mcp,
    routes: {
      ...createProcessRoutes({
        readiness: () => ({ status: isDraining() ? 'draining' : 'ready' }),
        refuseMetrics: (request) => foreign(request)?.message,
        scrape: metrics.scrape,
      }),
      ...signIn?.routes,
    },
    prefixes: { '/': rest },
    onRequest: ({ status }) => {
      if (status !== undefined) metrics.recordAnswer(status);
    },
    onError: logInternalErrors(logger),
  });

/** Allows IP addresses as hosts, which metrics scrapers in a cluster use. */
const createScraperCheck = (options: ListeningServiceOptions): ForeignCheck =>
  createForeignCheck({ ...toHostGuard(options), allowAddresses: true });

const toHostGuard = ({ allowedHosts = [], allowedOrigins = [] }: ListeningServiceOptions) => ({
  allowedHosts,
  allowedOrigins,
});

const toMcpOptions = (
  options: ListeningServiceOptions,
  metrics: ServiceMetrics,
): Parameters<typeof createMcpHttp>[1] => ({
  ...toHostGuard(options),
  ...(options.sessionKey !== undefined && { sessionKey: options.sessionKey }),
  ...(options.signIn !== undefined && {
    authenticate: options.signIn.authenticate,
    scopeChallenge: options.signIn.scopeChallenge,
  }),
  limits: { maxBodyBytes: MAX_BODY_BYTES },
  onRefusal: (code) => {
    metrics.recordRefusal('mcp', code);
  },
  onError: logInternalErrors(options.logger),
});
