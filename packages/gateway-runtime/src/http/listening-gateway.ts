import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_SCOPE, type CallerAuth } from '@gateway/caller-auth';
import {
  createMcpHttp,
  createRouteLimit,
  type HttpServing,
  type McpHttp,
  type Peers,
  type RequestAuthenticator,
  type RouteHandler,
  type RouteHandlers,
  type RouteLimitOptions,
  type RouteServing,
  serveHttp,
  type SessionRecords,
  toLimits,
} from '@gateway/mcp-http';
import { composeGateway, type Gateway, type GatewayOptions } from '../compose-gateway.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import {
  type Address,
  type Expose,
  type GatewayConfig,
  type HealthAddress,
  isLoopbackHost,
} from '@gateway/gateway-config';
import {
  logInternalErrors,
  type HtmlPage,
  createPageRoute,
  renderServicePage,
} from '@gateway/service-host';
import { openCallerAuth } from '../sign-in/open-caller-auth.ts';
import { prepareCallers } from '../sign-in/user-sign-in.ts';
import { createHealthRoutes, listenHealth } from './health-listener.ts';
import { SERVICE_INFO } from '../calls/gateway-service.ts';
import type { DownstreamAuth } from '@gateway/downstream-auth';

const MCP_DESCRIPTIONS: Readonly<Record<Expose, string>> = {
  meta: 'The MCP endpoint. MCP clients find the tools of all servers with the meta-tools.',
  native: 'The MCP endpoint. MCP clients list the tools, resources and prompts of all servers.',
};

/** Renders the page at `/`: the version of the gateway and links to its endpoints. It shows no server and no tool. */
const renderFrontPage = (expose: Expose): HtmlPage =>
  renderServicePage({
    name: SERVICE_INFO.title,
    version: SERVICE_INFO.version,
    description:
      'Combines MCP servers into one catalog. The header X-Gateway-Toolset limits a request to a part of it.',
    links: [
      { href: '/mcp', title: '/mcp', description: MCP_DESCRIPTIONS[expose] },
      {
        href: '/readyz',
        title: '/readyz',
        description:
          '200 when every server that starts automatically was tried once; names the missing ones.',
      },
      { href: '/healthz', title: '/healthz', description: '200 while the process runs.' },
      { href: '/metrics', title: '/metrics', description: 'Metrics in the Prometheus format.' },
    ],
  });

/** The handlers of sign-in, by path and by path prefix. */
interface SignInRoutes {
  readonly routes: RouteHandlers;
  readonly prefixes: RouteHandlers;
}

/**
 * The rate limit, per address, of requests that store state before sign-in. All addresses together may start 2,000 sign-ins per minute;
 * one address may start at most 400.
 */
const SIGN_IN_START_RATE = { requestsPerSecond: 5, burst: 100 };

/** Returns the handlers of sign-in, rate-limited by client address if `limit` is set. */
const createSignInRoutes = (
  servers: Pick<DownstreamAuth, 'routes' | 'prefixes'>,
  callers: Pick<CallerAuth, 'routes' | 'prefixes' | 'startPaths'> | undefined,
  limit: RouteLimitOptions | undefined,
): SignInRoutes => {
  const routes = { ...servers.routes, ...callers?.routes };
  const prefixes = { ...servers.prefixes, ...callers?.prefixes };
  if (limit === undefined) return { routes, prefixes };
  const limited = createRouteLimit(limit);
  const rateLimit = { ...limit.rateLimit, ...SIGN_IN_START_RATE };
  const isStart = ([path]: readonly [string, RouteHandler]): boolean =>
    callers?.startPaths.includes(path) === true;
  const starts = Object.fromEntries(Object.entries(routes).filter(isStart));
  const limitedStarts = createRouteLimit({ ...limit, rateLimit })(starts);
  return { routes: limited({ ...routes, ...limitedStarts }), prefixes: limited(prefixes) };
};

/** A gateway that serves HTTP. */
export interface ListeningGateway {
  readonly url: string;
  /** URL of the separate listener for probes and metrics, if any. */
  readonly healthUrl: string | undefined;
  readonly metrics: GatewayMetrics;
  /**
   * Reports not-ready, keeps serving for `http.drainDelaySeconds`, then refuses new requests and waits for running requests.
   * Waits at most `timeoutMs`; the default is `http.drainSeconds`.
   */
  readonly drain: (timeoutMs?: number) => Promise<void>;
  /** Stops the listener, running requests, all downstream servers and the store. */
  readonly close: () => Promise<void>;
}

export interface ListeningGatewayOptions extends Omit<GatewayOptions, 'sessions'> {
  readonly address: Address;
  /** The address of the listener for probes and metrics; without it they are served at `address` only. */
  readonly health?: HealthAddress | undefined;
  /** Key that signs session ids. Replicas with the same key serve each other's sessions. */
  readonly sessionKey?: Uint8Array;
  /** The previous key, accepted during key rotation. */
  readonly previousSessionKey?: Uint8Array;
  /** The other processes that serve the same address, with the same key. */
  readonly peers?: Peers;
  /** The session records in the shared store. */
  readonly sessionRecords?: SessionRecords;
  /** Checks the credentials of requests; the default is the check of `auth.mode`. */
  readonly authenticate?: RequestAuthenticator['authenticate'];
}

/** Composes a gateway and listens. Rejects, with everything closed, when the address is not available. */
export async function listenGateway(options: ListeningGatewayOptions): Promise<ListeningGateway> {
  let mcp: McpHttp | undefined;
  const gateway = composeGateway({
    ...options,
    sessions: () => mcp?.stats().sessions ?? 0,
    queuedCalls: () => mcp?.stats().queuedCalls ?? 0,
  });
  const { metrics, readiness } = gateway;
  let health: RouteServing | undefined;
  let auth: CallerAuth | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([health?.close(), auth?.close(), gateway.close()]);
  };
  const { scrape } = metrics;
  try {
    health = await listenHealth({ ...options, address: options.health, readiness, scrape });
    const { reportIdToken: onIdToken } = gateway.services.signIn.auth;
    auth = await openCallerAuth(options, { ...gateway, onIdToken });
    if (auth !== undefined) connectCallerAuth(gateway.services.signIn, auth);
    const service = gateway.createService({
      grantsAdmin: auth?.scopes.includes(ADMIN_SCOPE) === true,
    });
    mcp = createMcpHttp(service, await toEndpointOptions(options, gateway, auth));
    const serving = await listen(mcp, gateway, options, auth);
    const { url } = serving;
    gateway.services.signIn.listening(url);
    readiness.serve();
    return {
      url,
      healthUrl: health?.url,
      metrics,
      close: () => serving.drain(0).then(close),
      drain: (timeoutMs) => drain({ serving, readiness, ...options }, timeoutMs),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface DrainOptions extends Pick<ListeningGatewayOptions, 'config'> {
  readonly serving: HttpServing;
  readonly readiness: Gateway['readiness'];
}

async function drain(
  { serving, readiness, config: { http } }: DrainOptions,
  timeoutMs = http.drainSeconds * 1000,
): Promise<void> {
  readiness.drain();
  serving.retire();
  await delay(http.drainDelaySeconds * 1000);
  await serving.drain(timeoutMs);
}

/** Lets sign-in to servers use the ID tokens and browser sessions of callers. */
function connectCallerAuth(signIn: Gateway['services']['signIn'], auth: CallerAuth): void {
  signIn.useIdTokens(auth.idTokens);
  if (auth.browserUser !== undefined) signIn.useBrowserCheck(auth.browserUser);
}

type EndpointOptions = NonNullable<Parameters<typeof createMcpHttp>[1]>;

async function toEndpointOptions(
  { config: { http }, address, authenticate, logger, ...options }: ListeningGatewayOptions,
  { metrics, onRequestRefused, services, signIn }: Gateway,
  auth: CallerAuth | undefined,
): Promise<EndpointOptions> {
  return {
    ...pickSessionOptions(options),
    authenticate: prepareCallers(services.downstream, signIn, authenticate ?? auth?.authenticate),
    ...(auth && { scopeChallenge: auth.scopeChallenge }),
    allowedHosts: [
      ...http.allowedHosts,
      ...(http.publicUrl === undefined ? [] : [new URL(http.publicUrl).host]),
    ],
    allowedOrigins: http.allowedOrigins,
    legacySse: http.legacySse,
    trustedProxies: http.trustedProxies,
    forwardedHeader: http.forwardedHeader,
    ...(await toRateLimit(http.rateLimit, address)),
    limits: { ...toLimits(http), callTimeoutMs: http.requestTimeoutSeconds * 1000 },
    onRefusal: (refusal, caller, reason) => {
      const code = reason === undefined ? refusal : `${refusal}:${reason}`;
      metrics.requestRefused(code);
      onRequestRefused(code, caller);
    },
    onError: logInternalErrors(logger),
  };
}

const pickSessionOptions = ({
  sessionKey,
  previousSessionKey,
  peers,
  sessionRecords,
}: Omit<ListeningGatewayOptions, 'config' | 'address' | 'logger'>): Pick<
  EndpointOptions,
  'sessionKey' | 'previousSessionKey' | 'peers' | 'sessionRecords'
> => ({
  ...(sessionKey && { sessionKey }),
  ...(previousSessionKey && { previousSessionKey }),
  ...(peers && { peers }),
  ...(sessionRecords && { sessionRecords }),
});

/** Disables the default rate limit on a loopback address, where all callers are the same user. */
const toRateLimit = async (
  { enabled, ...rateLimit }: GatewayConfig['http']['rateLimit'],
  { host }: Address,
): Promise<Pick<EndpointOptions, 'rateLimit'>> =>
  (enabled ?? !(await isLoopbackHost(host))) ? { rateLimit } : {};

async function listen(
  mcp: McpHttp,
  gateway: Gateway,
  { address, config, expose, logger }: ListeningGatewayOptions,
  auth: CallerAuth | undefined,
): Promise<HttpServing> {
  const { trustedProxies, forwardedHeader } = config.http;
  const { rateLimit } = await toRateLimit(config.http.rateLimit, address);
  const limit = rateLimit && { rateLimit, trustedProxies, forwardedHeader };
  const signIn = createSignInRoutes(gateway.services.signIn.auth, auth, limit);
  return serveHttp({
    ...address,
    mcp,
    routes: {
      '/': createPageRoute(renderFrontPage(expose)),
      ...createHealthRoutes({
        config,
        readiness: gateway.readiness,
        scrape: gateway.metrics.scrape,
      }),
      ...signIn.routes,
    },
    prefixes: signIn.prefixes,
    limits: { maxConnections: config.http.maxConnections },
    onRequest: gateway.metrics.httpAnswered,
    onError: logInternalErrors(logger),
  });
}
