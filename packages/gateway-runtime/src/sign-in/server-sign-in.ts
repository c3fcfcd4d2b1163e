import { compileGlob } from '@gateway/catalog';
import type { Downstream } from '@gateway/downstream';
import {
  createDownstreamAuth,
  createFileSecretSource,
  type BrowserCheck,
  type DownstreamAuth,
  type ServerSignInObserver,
} from '@gateway/downstream-auth';
import type { Address, GatewayConfig } from '@gateway/gateway-config';
import type { GatewayStore } from '@gateway/resource-store';
import { createMemoryStore, type StateStore } from '@gateway/state-store';
import type { Logger } from 'pino';
import { AttemptLimit } from './attempt-limit.ts';
import { LoopbackCallback } from './loopback-callback.ts';
import { secretReader } from './open-caller-auth.ts';
import { PublicUrl } from './public-url.ts';
import type { IdTokenSource } from '@gateway/call-contract';

/** Options of {@link createServerSignIn}. */
export interface ServerSignInOptions {
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
  readonly downstream: () => Pick<Downstream, 'servers' | 'stateOf'>;
}

/** The sign-in of persons to servers, as each process of a gateway has it. */
export interface ServerSignIn {
  readonly auth: DownstreamAuth;
  /** The limit of the sign-ins that a person starts, in all processes that have the same store. */
  readonly attempts: AttemptLimit;
  /** Records the URL of the listener. */
  readonly listening: (url: string) => void;
  /** Sets the source of ID tokens of persons who signed in to the gateway. */
  readonly useIdTokens: (source: IdTokenSource) => void;
  /** Sets the function that finds the person of a browser. */
  readonly useBrowserCheck: (check: BrowserCheck) => void;
  readonly close: () => Promise<void>;
}

type AuthOptions = Parameters<typeof createDownstreamAuth>[0];
type Registered = NonNullable<AuthOptions['clients']>[number];

/** Returns the clients that the operator registered; a secret that cannot be read is reported when it is used. */
const clientsOf = (
  { auth }: GatewayConfig,
  { directory, logger }: Pick<ServerSignInOptions, 'directory' | 'logger'>,
): readonly Registered[] => {
  const read = secretReader(directory);
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
  #check: BrowserCheck | undefined;

  readonly use = (check: BrowserCheck): void => {
    this.#check = check;
  };

  readonly browserPerson: BrowserCheck = (...visit) =>
    this.#check?.(...visit) ?? Promise.resolve(undefined);
}

/** Returns a function that matches host names with patterns, which the configuration has checked. */
const matchHosts = (patterns: readonly string[]): ((hostname: string) => boolean) => {
  const globs = patterns.map((pattern) => compileGlob(pattern, { caseSensitive: false }));
  return (hostname) => globs.some((glob) => glob.ok && glob.matches(hostname));
};

/** Returns the options that follow from the configuration and the servers. */
const settingsOf = (
  options: ServerSignInOptions,
): Omit<AuthOptions, 'store' | 'publicUrl' | 'idTokens' | 'browserPerson'> => {
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
    clients: clientsOf(config, options),
    ...(clientDocumentUrl !== undefined && { clientDocumentUrl }),
    isAuthRequired: (name) => downstream().stateOf(name) === 'Auth Required',
    log: logger,
    observe,
  };
};

/** Creates the sign-in of persons to servers. Processes that have the same store share the sign-ins. */
export const createServerSignIn = (options: ServerSignInOptions): ServerSignIn => {
  const { config, address } = options;
  const { stateStore = createMemoryStore() } = options;
  const { publicUrl: configured } = config.http;
  const publicUrl = new PublicUrl({ configured, address });
  const callback = new LoopbackCallback(() => auth);
  const hasListener = address !== undefined || configured !== undefined;
  const idTokens = new LateIdTokens();
  const browsers = new LateBrowserCheck();
  const auth = createDownstreamAuth({
    ...settingsOf(options),
    store: stateStore,
    publicUrl: hasListener ? publicUrl.current : callback.url,
    idTokens,
    browserPerson: browsers.browserPerson,
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
