import { createGuardedFetch } from '@gateway/guarded-fetch';
import { type RouteHandler, type RouteServing, serveRoutes } from '@gateway/mcp-http';
import {
  createMemoryStore,
  createEncryptedStore,
  openRedisStore,
  parseStateKey,
  validateRedisUrl,
  type StateStore,
} from '@gateway/state-store';
import { answerJson } from '../answers.ts';
import { createPortal, type Portal } from './create-portal.ts';
import { type PortalOptions, type PortalSettings, readSettings } from '../settings.ts';
import { PROVIDER_REQUEST_MS } from '../user/sessions.ts';

/** Returns the URL at which programs of this machine reach a server that may listen on all addresses. */
const toReachableUrl = (address: string | URL): URL => {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url;
};

/** Environment variable with the password of the Redis server. */
const PASSWORD_VARIABLE = 'PORTAL_REDIS_PASSWORD';

/** Where sessions are. */
interface StoreOptions {
  /** URL of a Redis server that replicas share; the memory of this process when absent. */
  readonly redis?: string;
  /** The key of the portal. */
  readonly key: Uint8Array | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: {
    readonly warn: (sentence: string) => void;
    readonly info: (sentence: string) => void;
  };
}

/** The store, or one sentence that names the option that is wrong. */
type OpenedStore =
  | { readonly ok: true; readonly store: StateStore }
  | { readonly ok: false; readonly problem: string };

const refuse = (problem: string): OpenedStore => ({ ok: false, problem });

/** Opens the store of the sessions. What a server stores is encrypted with a key that is derived from that of the portal. */
const openStore = async (options: StoreOptions): Promise<OpenedStore> => {
  const { redis, key, environment, log } = options;
  if (redis === undefined) return { ok: true, store: createMemoryStore() };
  const url = URL.canParse(redis) ? new URL(redis) : undefined;
  if (url === undefined) return refuse('--redis must be a URL');
  if (url.password !== '')
    return refuse(`--redis must not contain a password: use ${PASSWORD_VARIABLE}`);
  const problem = validateRedisUrl(url);
  if (problem !== undefined) return refuse(`--redis ${problem}`);
  if (key === undefined)
    return refuse('--redis needs PORTAL_SESSION_KEY, the secret that replicas share');
  const parsed = parseStateKey(Buffer.from(key).toString('hex'), 'PORTAL_SESSION_KEY');
  if (!parsed.ok) return parsed;
  const password = (): string | undefined => environment[PASSWORD_VARIABLE] || undefined;
  const store = await openRedisStore({ url, password, prefix: 'portal', log });
  return { ok: true, store: createEncryptedStore(store, { current: parsed.key }, log) };
};

/** The options of {@link servePortal}. */
export interface ServePortalOptions extends Omit<PortalOptions, 'publicUrl'> {
  readonly host: string;
  /** `0` selects a free port. */
  readonly port: number;
  /** URL at which browsers reach the portal; the address that it listens on when absent. */
  readonly publicUrl?: string;
  /** URL of a Redis server that replicas share. */
  readonly redis?: string;
  readonly environment: StoreOptions['environment'];
  readonly log: StoreOptions['log'];
}

/** A portal that serves. */
export interface PortalServing {
  /** The URL at which browsers reach it. */
  readonly url: string;
  /** The URL that it listens on. */
  readonly address: string;
  /**
   * Accepts no new connections, waits for running requests, then closes everything.
   *
   * @param timeoutMs upper bound for the wait, in milliseconds
   */
  readonly drain: (timeoutMs: number) => Promise<void>;
}

/** A portal that serves, or one sentence that says why it does not. */
export type ServedPortal =
  | { readonly ok: true; readonly portal: PortalServing }
  | { readonly ok: false; readonly problem: string };

const PROVIDER_BYTES = 1024 * 1024;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const LIMITS = {
  maxConnections: 2_048,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
};

const LOOPBACK_URL = 'http://127.0.0.1/';

interface Listening {
  readonly serving: RouteServing;
  readonly setPortal: (portal: Portal) => void;
  readonly retire: () => void;
}

const createHealthHandler =
  (state: () => { readonly status: string; readonly ok: boolean }): RouteHandler =>
  (_request, response) => {
    const { status, ok } = state();
    answerJson(response, ok ? 200 : 503, { status });
  };

const listen = async ({ host, port }: ServePortalOptions): Promise<Listening> => {
  let portal: Portal | undefined;
  let isDraining = false;
  const serving = await serveRoutes({
    host,
    port,
    methods: METHODS,
    limits: LIMITS,
    routes: {
      '/healthz': createHealthHandler(() => ({ status: 'ok', ok: true })),
      '/readyz': createHealthHandler(() =>
        isDraining
          ? { status: 'draining', ok: false }
          : { status: portal === undefined ? 'starting' : 'ready', ok: portal !== undefined },
      ),
    },
    prefixes: {
      '/': (request, response) => {
        if (portal === undefined) answerJson(response, 503, { status: 'starting' });
        else portal.handle(request, response);
      },
    },
  });
  return {
    serving,
    setPortal: (opened) => (portal = opened),
    retire: () => (isDraining = true),
  };
};

const openPortal = async (
  { serving, setPortal, retire }: Listening,
  { settings, store, log }: Parts,
): Promise<PortalServing> => {
  const fetch = createGuardedFetch({
    allowPrivate: true,
    maxBytes: PROVIDER_BYTES,
    timeoutMs: PROVIDER_REQUEST_MS,
  });
  const onFailure = log.warn;
  const portal = await createPortal({ settings, store, fetch, now: Date.now, onFailure });
  setPortal(portal);
  return {
    url: settings.publicUrl.href,
    address: serving.url,
    drain: async (timeoutMs) => {
      retire();
      await serving.drain(timeoutMs);
      await portal.close();
      await store.close();
    },
  };
};

interface Parts extends Pick<ServePortalOptions, 'log'> {
  readonly settings: PortalSettings;
  readonly store: Parameters<typeof createPortal>[0]['store'];
}

/** Serves the portal, and `/healthz` and `/readyz`. Rejects when the address cannot be taken or the web application is not built. */
export const servePortal = async (options: ServePortalOptions): Promise<ServedPortal> => {
  const { log } = options;
  // Refuses wrong options before it listens.
  const checked = readSettings({ ...options, publicUrl: options.publicUrl ?? LOOPBACK_URL });
  if (!checked.ok) return checked;
  const opened = await openStore(options);
  if (!opened.ok) return opened;
  const { store } = opened;
  try {
    const listening = await listen(options);
    const read = readSettings({
      ...options,
      publicUrl: options.publicUrl ?? toReachableUrl(listening.serving.url).href,
    });
    if (read.ok)
      return {
        ok: true,
        portal: await startPortal(listening, { settings: read.settings, store, log }),
      };
    await Promise.all([listening.serving.close(), store.close()]);
    return read;
  } catch (error) {
    await store.close();
    throw error;
  }
};

const startPortal = async (listening: Listening, parts: Parts): Promise<PortalServing> => {
  try {
    return await openPortal(listening, parts);
  } catch (error) {
    await listening.serving.close();
    throw error;
  }
};

/** The options of {@link serveLocalPortal}. */
interface LocalPortalOptions extends Pick<ServePortalOptions, 'port' | 'webRoot' | 'log'> {
  /** The URL that the gateway listens on. */
  readonly gateway: string;
  /** URL of agent-manager; without it the portal has no pages of agents. */
  readonly agentManager?: string;
}

/**
 * Returns why a gateway cannot serve the portal of a single machine; undefined when it can.
 *
 * @param authMode `auth.mode` of the gateway
 */
export const validateLocalPortal = (authMode: string): string | undefined =>
  authMode === 'none'
    ? undefined
    : `--portal is for gateways without sign-in, and auth.mode is ${authMode}: start "portal serve" with --issuer, where users sign in`;

/** Serves the portal of a single machine, which runs in the process of a gateway: without sign-in, and on the loopback address alone. */
export const serveLocalPortal = async ({
  gateway,
  ...options
}: LocalPortalOptions): Promise<ServedPortal> => {
  const base = toReachableUrl(gateway);
  return await servePortal({
    ...options,
    host: '127.0.0.1',
    gateway: new URL('/mcp', base).href,
    metrics: new URL('/metrics', base).href,
    scopes: '',
    token: 'access_token',
    key: undefined,
    environment: {},
  });
};
