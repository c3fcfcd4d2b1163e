import { createGuardedFetch } from '@gateway/guarded-fetch';
import { serveRoutes, type RouteHandler, type RouteServing } from '@gateway/mcp-http';
import { answerJson } from '../answers/json-answer.ts';
import { createPortal, type Portal } from './create-portal.ts';
import { PROVIDER_REQUEST_MS } from '../person/refresh-time.ts';
import type { PortalSettings } from '../settings/portal-settings.ts';
import { readSettings, type PortalOptions } from '../settings/read-settings.ts';
import { reachableUrl } from './reachable-url.ts';
import { openStore, type StoreOptions } from './open-store.ts';

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

const healthAnswer =
  (state: () => { readonly status: string; readonly ok: boolean }): RouteHandler =>
  (_request, response) => {
    const { status, ok } = state();
    answerJson(response, ok ? 200 : 503, { status });
  };

const listen = async ({ host, port }: ServePortalOptions): Promise<Listening> => {
  let portal: Portal | undefined;
  let isDraining = false;
  const serving = await serveRoutes({
    ...{ host, port, methods: METHODS, limits: LIMITS },
    routes: {
      '/healthz': healthAnswer(() => ({ status: 'ok', ok: true })),
      '/readyz': healthAnswer(() =>
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

const portalOver = async (
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
      publicUrl: options.publicUrl ?? reachableUrl(listening.serving.url).href,
    });
    if (read.ok)
      return {
        ok: true,
        portal: await started(listening, { settings: read.settings, store, log }),
      };
    await Promise.all([listening.serving.close(), store.close()]);
    return read;
  } catch (error) {
    await store.close();
    throw error;
  }
};

const started = async (listening: Listening, parts: Parts): Promise<PortalServing> => {
  try {
    return await portalOver(listening, parts);
  } catch (error) {
    await listening.serving.close();
    throw error;
  }
};
