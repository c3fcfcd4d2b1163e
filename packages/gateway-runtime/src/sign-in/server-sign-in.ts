import {
  type StateKey,
  type StateStore,
  StateStoreError,
  createMemoryStore,
} from '@gateway/state-store';
import type { IdTokenSource } from '@gateway/call-contract';
import { compileGlob } from '@gateway/catalog';
import type { Downstream } from '@gateway/downstream';
import {
  type SignInCheck,
  type DownstreamAuth,
  type ServerSignInObserver,
  createDownstreamAuth,
  createFileSecretSource,
} from '@gateway/downstream-auth';
import { type Address, type GatewayConfig, isLoopbackHost } from '@gateway/gateway-config';
import type { GatewayStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import { createSecretReader } from './open-caller-auth.ts';
import { type RouteServing, serveRoutes } from '@gateway/mcp-http';

/** Attempts that a user may make within {@link WINDOW_MS}. */
const MAX_ATTEMPTS = 10;

const WINDOW_MS = 60_000;

/** An attempt that is allowed, or the time until the next one. */
export type AttemptOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly limit: number;
      readonly remaining: number;
      readonly retryAfterSeconds: number;
    };

export interface AttemptLimitDependencies {
  /** Processes with one store count together. */
  readonly store: Pick<StateStore, 'add' | 'get' | 'delete'>;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** The keys under which the attempts of a user are stored. Each entry expires with its attempt. */
const listKeys = (principalKey: string): readonly StateKey[] =>
  Array.from({ length: MAX_ATTEMPTS }, (_, index) => [
    'server-sign-in-attempt',
    principalKey,
    String(index),
  ]);

/** Returns the value, or `otherwise` while the store does not answer: the sign-in itself needs the store and reports it. */
const withFallback = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StateStoreError) return otherwise;
    throw error;
  }
};

/** Limits the sign-ins that a user starts: 10 in a minute, in all processes of a store. */
export class AttemptLimit {
  readonly #dependencies: AttemptLimitDependencies;

  constructor(dependencies: AttemptLimitDependencies) {
    this.#dependencies = dependencies;
  }

  /** Counts an attempt. An attempt beyond the limit is not counted. */
  take(principalKey: string): Promise<AttemptOutcome> {
    return withFallback(this.#take(listKeys(principalKey)), { ok: true });
  }

  /** Forgets the attempts of a user who signed in. */
  async reset(principalKey: string): Promise<void> {
    const { store } = this.#dependencies;
    const removed = listKeys(principalKey).map((key) => withFallback(store.delete(key), undefined));
    await Promise.all(removed);
  }

  async #take(keys: readonly StateKey[]): Promise<AttemptOutcome> {
    const { store, now } = this.#dependencies;
    const at = now();
    for (const key of keys) {
      if (await store.add(key, String(at), { ttlMs: WINDOW_MS })) return { ok: true };
    }
    const times = await Promise.all(keys.map((key) => store.get(key)));
    const oldest = Math.min(at, ...times.map((time) => Number(time ?? at)));
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + WINDOW_MS - at) / 1000));
    return { ok: false, limit: MAX_ATTEMPTS, remaining: 0, retryAfterSeconds };
  }
}

/** Time after the last sign-in in which the listener stays open, in milliseconds: a user has 10 minutes for a sign-in. */
const OPEN_MS = 11 * 60_000;

/** The listener for browsers of a gateway that has no other one. It opens when a sign-in starts and closes when no sign-in can be running. */
class LoopbackCallback {
  readonly #routes: () => Pick<DownstreamAuth, 'routes' | 'prefixes'>;
  #serving: Promise<RouteServing> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(routes: () => Pick<DownstreamAuth, 'routes' | 'prefixes'>) {
    this.#routes = routes;
  }

  /** Opens the listener when it is closed. @returns its URL; `undefined` when no port can be taken */
  readonly url = async (): Promise<URL | undefined> => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.close(), OPEN_MS).unref();
    const { routes, prefixes } = this.#routes();
    this.#serving ??= serveRoutes({
      host: '127.0.0.1',
      port: 0,
      routes,
      prefixes,
      methods: ['GET', 'POST'],
    });
    try {
      return new URL(new URL((await this.#serving).url).origin);
    } catch {
      this.#serving = undefined;
      return undefined;
    }
  };

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const serving = this.#serving;
    this.#serving = undefined;
    await serving?.then(({ close }) => close()).catch(() => undefined);
  }
}

interface PublicUrlOptions {
  /** `http.publicUrl` of the configuration. */
  readonly configured?: string | undefined;
  /** The listen address; absent for stdio. */
  readonly address?: Address | undefined;
}

/** The URL under which browsers reach the gateway: the configured one, or that of a listener on a loopback address. */
class PublicUrl {
  readonly #configured: URL | undefined;
  readonly #address: Address | undefined;
  readonly #listening: Promise<URL>;
  #resolve: (url: URL) => void = () => undefined;

  constructor({ configured, address }: PublicUrlOptions) {
    this.#configured = configured === undefined ? undefined : new URL(configured);
    this.#address = address;
    this.#listening = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Records the URL of the listener; its path is ignored. */
  listening(url: string): void {
    this.#resolve(new URL(new URL(url).origin));
  }

  /** Returns the URL; `undefined` when the gateway listens on other addresses and none is configured. */
  readonly current = async (): Promise<URL | undefined> => {
    if (this.#configured !== undefined) return this.#configured;
    if (this.#address === undefined || !(await isLoopbackHost(this.#address.host)))
      return undefined;
    return this.#listening;
  };
}

interface ServerSignInOptions {
  /** The source of Secrets; absent for files. */
  readonly store?: Pick<GatewayStore, 'secrets'>;
  readonly config: GatewayConfig;
  /** The configuration directory, which has the folder `secrets`. */
  readonly directory?: string;
  /** The listen address; absent for stdio. */
  readonly address?: Address;
  /** Without it, sign-ins are in the memory of this process. */
  readonly stateStore?: StateStore;
  readonly logger: Logger;
  /** Receives facts for operators. */
  readonly observe: ServerSignInObserver;
  /** Returns the servers. It is not called before the first sign-in. */
  readonly downstream: () => Pick<Downstream, 'servers' | 'findState'>;
}

/** The sign-in of users to servers, as each process of a gateway has it. */
export interface SignInService {
  readonly auth: DownstreamAuth;
  /** The limit of the sign-ins that a user starts, in all processes that have the same store. */
  readonly attempts: AttemptLimit;
  /** Records the URL of the listener. */
  readonly listening: (url: string) => void;
  /** Sets the source of ID tokens of users who signed in to the gateway. */
  readonly useIdTokens: (source: IdTokenSource) => void;
  /** Sets the function that finds the user of a browser. */
  readonly useBrowserCheck: (check: SignInCheck) => void;
  readonly close: () => Promise<void>;
}

type AuthOptions = Parameters<typeof createDownstreamAuth>[0];
type Registered = NonNullable<AuthOptions['clients']>[number];

/** Returns the clients that the operator registered; a secret that cannot be read is reported when it is used. */
const listClients = (
  { auth }: GatewayConfig,
  { directory, logger }: Pick<ServerSignInOptions, 'directory' | 'logger'>,
): readonly Registered[] => {
  const read = createSecretReader(directory);
  return auth.serverClients.map(({ issuer, clientId, clientSecretFile: file }) => ({
    issuer,
    clientId,
    ...(file !== undefined && {
      clientSecret: () =>
        read(file).catch(() => {
          logger.warn({ issuer }, 'the client secret of auth.serverClients cannot be read');
          return undefined;
        }),
    }),
  }));
};

/** A source of ID tokens that is set after the servers have started. */
class LateIdTokens implements IdTokenSource {
  #source: IdTokenSource | undefined;

  use(source: IdTokenSource): void {
    this.#source = source;
  }

  readonly idToken: IdTokenSource['idToken'] = async (principal, wanted) =>
    (await this.#source?.idToken(principal, wanted)) ?? { ok: false, code: 'signed-out' };
}

/** A check of browsers that is set when callers can sign in. */
class LateBrowserCheck {
  #check: SignInCheck | undefined;

  readonly use = (check: SignInCheck): void => {
    this.#check = check;
  };

  readonly browserUser: SignInCheck = (...visit) =>
    this.#check?.(...visit) ?? Promise.resolve(undefined);
}

/** Returns a function that matches host names with patterns, which the configuration has checked. */
const matchHosts = (patterns: readonly string[]): ((hostname: string) => boolean) => {
  const globs = patterns.map((pattern) => compileGlob(pattern, { caseSensitive: false }));
  return (hostname) => globs.some((glob) => glob.ok && glob.matches(hostname));
};

/** Returns the options that follow from the configuration and the servers. */
const createAuthSettings = (
  options: ServerSignInOptions,
): Omit<AuthOptions, 'store' | 'publicUrl' | 'idTokens' | 'browserUser'> => {
  const { config, directory = '.', logger, observe, downstream } = options;
  const { allowPrivate, redirects, clientDocumentUrl } = config.auth;
  return {
    servers: () =>
      downstream()
        .servers()
        .map(({ definition }) => definition),
    secrets: options.store?.secrets ?? createFileSecretSource({ directory }),
    allowPrivate,
    isPlainHttpHost: matchHosts(config.servers.plainHttpTokenHosts),
    redirects,
    clients: listClients(config, options),
    ...(clientDocumentUrl !== undefined && { clientDocumentUrl }),
    isAuthRequired: (name) => downstream().findState(name) === 'Auth Required',
    log: logger,
    observe,
  };
};

/** Creates the sign-in of users to servers. Processes that have the same store share the sign-ins. */
export const createServerSignIn = (options: ServerSignInOptions): SignInService => {
  const { config, address } = options;
  const { stateStore = createMemoryStore() } = options;
  const { publicUrl: configured } = config.http;
  const publicUrl = new PublicUrl({ configured, address });
  const callback = new LoopbackCallback(() => auth);
  const hasListener = address !== undefined || configured !== undefined;
  const idTokens = new LateIdTokens();
  const browsers = new LateBrowserCheck();
  const auth = createDownstreamAuth({
    ...createAuthSettings(options),
    store: stateStore,
    publicUrl: hasListener ? publicUrl.current : callback.url,
    idTokens,
    browserUser: browsers.browserUser,
  });
  return {
    auth,
    attempts: new AttemptLimit({ store: stateStore, now: Date.now }),
    listening: (url) => publicUrl.listening(url),
    useIdTokens: (source) => idTokens.use(source),
    useBrowserCheck: browsers.use,
    close: async () => {
      auth.close();
      await callback.close();
      if (options.stateStore === undefined) await stateStore.close();
    },
  };
};
