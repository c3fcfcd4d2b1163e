import type { Principal } from '@gateway/call-contract';
import { type AuthStrategy, authStrategyOf, type McpServer } from '@gateway/crd-schemas';
import type { StateStore } from '@gateway/state-store';
import * as z from 'zod/mini';
import { furtherScopes } from './challenge/bearer-challenge.ts';
import { CLIENT_DOCUMENT_PATH } from './clients/client-identity.ts';
import { createClients, type RegisteredClient } from './clients/identify-client.ts';
import { createDiscovery } from './discovery/discovery.ts';
import { createGuardedFetches } from './discovery/metadata.ts';
import { createExchangeStrategy } from './exchange/exchange-strategy.ts';
import { createExchangeFetch } from './exchange/exchange-token.ts';
import { createForwardStrategy } from './forward/forward-strategy.ts';
import { findTokenProblem } from './id-tokens/id-token.ts';
import type {
  CredentialChange,
  CredentialKind,
  IdTokenSource,
  NoCredential,
  SecretSource,
  ServerCredentials,
  TokenStrategy,
} from './ports/credentials.ts';
import type {
  BrowserCheck,
  LoginOutcome,
  LogoutOutcome,
  ServerSignIn,
  ServerSignInObserver,
  SignInLog,
} from './ports/sign-in.ts';
import { login } from './sign-in/login.ts';
import { logout } from './sign-in/logout.ts';
import {
  createCredentialCache,
  createOAuthStrategy,
  type OAuthStrategy,
} from './sign-in/oauth-strategy.ts';
import { createPendingLogins } from './sign-in/pending-login.ts';
import { CALLBACK_PATH, createRoutes, type Routes, START_PATH } from './sign-in/routes.ts';
import { ENDED, personAt, type SignInContext, type SignInUrls } from './sign-in/sign-in-context.ts';
import { createKeyedLock, parseJson } from './storage/state.ts';
import { type Binding, createTokenVault } from './tokens/token-records.ts';

const CHANNEL = 'server-sign-in';

const change = z.object({ server: z.string(), principalKey: z.string() });

/** Changes of sign-ins, in all processes of a store. */
interface SignInChanges {
  /** Reports a change to all processes, and to this one when the store does not answer. */
  readonly announce: (change: CredentialChange) => Promise<void>;
  /** Adds a listener, which runs after those that were added before. */
  readonly onChange: (listener: (change: CredentialChange) => void) => () => void;
  readonly close: () => void;
}

/** Creates the changes. */
const createSignInChanges = (store: StateStore): SignInChanges => {
  const listeners = new Set<(change: CredentialChange) => void>();
  const notify = (changed: CredentialChange): void => {
    for (const listener of [...listeners]) listener(changed);
  };
  const close = store.subscribe(CHANNEL, (text) => {
    const changed = change.safeParse(parseJson(text)).data;
    if (changed !== undefined) notify(changed);
  });
  return {
    announce: async ({ server, principalKey }) => {
      const changed = { server, principalKey };
      await store.publish(CHANNEL, JSON.stringify(changed)).catch(() => notify(changed));
    },
    onChange: (listener) => {
      const registered = (changed: CredentialChange): void => listener(changed);
      listeners.add(registered);
      return () => listeners.delete(registered);
    },
    close,
  };
};

/** Options of sign-in to servers of type `oauth`. */
interface SignInOptions {
  readonly store: StateStore;
  readonly publicUrl: URL | undefined | (() => Promise<URL | undefined>);
  readonly servers: () => readonly McpServer[];
  readonly kindOf: (server: McpServer) => CredentialKind;
  readonly allowPrivate: boolean;
  readonly redirects?: readonly string[];
  readonly browserPerson?: BrowserCheck;
  readonly clients?: readonly RegisteredClient[];
  readonly secrets: SecretSource;
  readonly clientDocumentUrl?: string;
  readonly log: SignInLog;
  readonly observe: ServerSignInObserver;
  readonly clock?: () => number;
}

/** Sign-in to servers of type `oauth`. No method rejects. */
interface SignIn {
  readonly strategy: OAuthStrategy;
  readonly onChange: SignInChanges['onChange'];
  readonly announce: SignInChanges['announce'];
  readonly routes: Routes;
  readonly prefixes: Routes;
  readonly login: (server: McpServer, principal: Principal) => Promise<LoginOutcome>;
  readonly logout: (server: McpServer, principal: Principal) => Promise<LogoutOutcome>;
  readonly bindingOf: (server: McpServer, principal: Principal) => Promise<Binding | undefined>;
  readonly close: () => void;
}

const urlsOf = (publicUrl: URL, documentUrl: string | undefined): SignInUrls => {
  const base = publicUrl.origin + publicUrl.pathname.replace(/\/+$/, '');
  return {
    start: base + START_PATH,
    callback: base + CALLBACK_PATH,
    document: documentUrl ?? base + CLIENT_DOCUMENT_PATH,
    isOwnDocument: documentUrl === undefined,
  };
};

const contextOf = (options: SignInOptions, changes: SignInChanges): SignInContext => {
  const { store, publicUrl, allowPrivate, log, observe, clock = Date.now } = options;
  const { clients = [], secrets } = options;
  const lock = createKeyedLock(store);
  const fetches = createGuardedFetches(allowPrivate);
  return {
    store,
    vault: createTokenVault(store),
    lock,
    clients: createClients({ store, lock, clients, secrets, clock }),
    discovery: createDiscovery(fetches),
    fetches,
    clock,
    log,
    observe,
    urls: async () => {
      const url = typeof publicUrl === 'function' ? await publicUrl() : publicUrl;
      return url && urlsOf(url, options.clientDocumentUrl);
    },
    announce: changes.announce,
  };
};

/** Creates sign-in to servers of type `oauth`. */
const createSignIn = (options: SignInOptions): SignIn => {
  const { store, servers, kindOf, redirects = [], browserPerson } = options;
  const changes = createSignInChanges(store);
  const context = contextOf(options, changes);
  const cache = createCredentialCache();
  changes.onChange((changed) => cache.delete(changed));
  const strategy = createOAuthStrategy(context, cache);
  const logins = createPendingLogins(store);
  /** Returns the answer for a server that does not sign persons in itself. */
  const other = (server: McpServer): { readonly code: 'not-required' | 'sso' } | undefined => {
    const kind = kindOf(server);
    if (kind === 'oauth') return undefined;
    return { code: kind === 'sso' ? 'sso' : 'not-required' };
  };
  return {
    ...{ strategy, onChange: changes.onChange, announce: changes.announce },
    ...createRoutes({ context, cache, servers, logins, redirects, browserPerson }),
    login: async (server, principal) => {
      const person = personAt(server, principal);
      const dependencies = { context, cache, strategy, logins };
      return (
        other(server) ??
        (person === undefined ? { code: 'not-required' } : login(dependencies, person, principal))
      );
    },
    logout: async (server, principal) => {
      const person = personAt(server, principal);
      const dependencies = { context, cache, servers };
      return (
        other(server) ??
        (person === undefined ? { code: 'not-required' } : logout(dependencies, person))
      );
    },
    bindingOf: async (server, principal) => {
      const person = personAt(server, principal);
      return person && context.vault.binding(person).catch(() => undefined);
    },
    close: changes.close,
  };
};

/** The sources that a status is made of. */
interface StatusDependencies {
  readonly servers: () => readonly McpServer[];
  readonly credentials: Pick<ServerCredentials, 'kindOf' | 'current'>;
  /** Returns the stored sign-in; `undefined` also while the store does not answer. */
  readonly bindingOf: (server: McpServer, principal: Principal) => Promise<Binding | undefined>;
}

const statusOf = async (
  { credentials, bindingOf }: StatusDependencies,
  server: McpServer,
  principal: Principal,
): Promise<ServerSignIn | undefined> => {
  const kind = credentials.kindOf(server);
  if (kind === 'shared') return undefined;
  const { name } = server.metadata;
  const outcome = await credentials.current(server, principal);
  const result = outcome.ok
    ? { status: 'signed-in' as const }
    : { status: outcome.code, reason: outcome.reason };
  if (kind === 'sso') {
    const isExchanged =
      server.spec.type !== 'stdio' && authStrategyOf(server.spec.auth).kind === 'tokenExchange';
    const way = isExchanged ? { tokenExchange: true } : { tokenForwarding: true };
    return { server: name, kind, ...result, ...way };
  }
  const binding = await bindingOf(server, principal);
  if (binding === undefined) return { server: name, kind, ...result };
  const { issuer, scope, pendingScope } = binding;
  const again =
    outcome.ok && pendingScope !== undefined
      ? {
          status: 'sign-in-again' as const,
          reason: ENDED.scopes(name, furtherScopes(scope, pendingScope)),
        }
      : result;
  return { server: name, kind, ...again, issuer, ...(scope !== '' && { scope }) };
};

/** Returns the sign-in of a person to each server that signs persons in, in the order of the servers. Never rejects. */
const signInStatus = async (
  dependencies: StatusDependencies,
  principal: Principal,
): Promise<readonly ServerSignIn[]> => {
  const all = dependencies.servers().map((server) => statusOf(dependencies, server, principal));
  return (await Promise.all(all)).filter((one) => one !== undefined);
};

/** Options of sign-in to servers. */
export interface DownstreamAuthOptions {
  readonly store: StateStore;
  /**
   * The URL under which browsers reach the gateway, or a function that returns it when a sign-in starts; without it, persons cannot sign
   * in to servers.
   */
  readonly publicUrl: URL | undefined | (() => Promise<URL | undefined>);
  /** The servers that exist now. */
  readonly servers: () => readonly McpServer[];
  readonly secrets: SecretSource;
  /** Absent where persons do not sign in to the gateway. */
  readonly idTokens?: IdTokenSource;
  /** Allows private addresses for URLs that servers and providers name. */
  readonly allowPrivate: boolean;
  /** Returns whether the operator lets tokens go to a host over plain HTTP; none by default. */
  readonly isPlainHttpHost?: (hostname: string) => boolean;
  /** URLs that a sign-in may end at. */
  readonly redirects?: readonly string[];
  /** Absent where browsers do not sign in to the gateway. */
  readonly browserPerson?: BrowserCheck;
  /** Clients that the operator registered at authorization servers. */
  readonly clients?: readonly RegisteredClient[];
  /** URL of a client ID metadata document that the operator publishes instead of the gateway's own. */
  readonly clientDocumentUrl?: string;
  /** Returns true when a server without `spec.auth` refused its connection with 401. */
  readonly isAuthRequired?: (server: string) => boolean;
  readonly log: SignInLog;
  /** Receives facts for operators. */
  readonly observe?: ServerSignInObserver;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly clock?: () => number;
}

/** The sign-in of persons to servers. No method rejects. */
export interface DownstreamAuth {
  readonly credentials: ServerCredentials;
  readonly login: (server: McpServer, principal: Principal) => Promise<LoginOutcome>;
  readonly logout: (server: McpServer, principal: Principal) => Promise<LogoutOutcome>;
  /** Returns the sign-in of a person to each server that signs persons in, in the order of the servers. */
  readonly status: (principal: Principal) => Promise<readonly ServerSignIn[]>;
  /** Handlers by path, for the listener that `publicUrl` names. */
  readonly routes: Routes;
  /** Handlers of all paths with a prefix, for the same listener. */
  readonly prefixes: Routes;
  /** Reports that a person has another ID token to every process, for the servers that use it. */
  readonly idTokenChanged: (principal: Pick<Principal, 'key'>) => Promise<void>;
  readonly close: () => void;
}

const UNAVAILABLE: NoCredential = {
  ok: false,
  code: 'unavailable',
  reason: 'The server is not a remote one.',
};

const unavailable: TokenStrategy = {
  current: () => UNAVAILABLE,
  rejected: () => Promise.resolve(UNAVAILABLE),
};

const KINDS: Readonly<Record<AuthStrategy['kind'], CredentialKind>> = {
  tokenExchange: 'sso',
  forwardToken: 'sso',
  oauth: 'oauth',
  none: 'shared',
};

/** Returns the function that decides how a server gets its credentials. */
const kindsOf =
  ({ isAuthRequired }: DownstreamAuthOptions) =>
  ({ spec, metadata }: McpServer): CredentialKind => {
    if (spec.type === 'stdio') return 'shared';
    const kind = KINDS[authStrategyOf(spec.auth).kind];
    return kind === 'shared' && isAuthRequired?.(metadata.name) === true ? 'oauth' : kind;
  };

type ObservedOptions = DownstreamAuthOptions & { readonly observe: ServerSignInObserver };

const PLAIN_HTTP =
  'spec.url is not an https:// URL, and servers.plainHttpTokenHosts does not name its host';

const NO_OBSERVER: ServerSignInObserver = () => undefined;

/** Returns the function that selects the strategy of a server. */
const strategiesOf = (
  { idTokens, secrets, observe, clock: now = Date.now }: ObservedOptions,
  oauth: TokenStrategy,
): ((server: McpServer) => TokenStrategy) => {
  const strategies: Readonly<Record<AuthStrategy['kind'], TokenStrategy>> = {
    tokenExchange: createExchangeStrategy({
      ...{ fetch: createExchangeFetch(), secrets, idTokens, observe, now },
    }),
    forwardToken: createForwardStrategy({ idTokens, observe, now }),
    oauth,
    none: oauth,
  };
  return ({ spec }) =>
    spec.type === 'stdio' ? unavailable : strategies[authStrategyOf(spec.auth).kind];
};

/** Creates the sign-in of persons to servers. @spec §2.6 auth */
export const createDownstreamAuth = (settings: DownstreamAuthOptions): DownstreamAuth => {
  const options: ObservedOptions = { observe: NO_OBSERVER, ...settings };
  const kindOf = kindsOf(options);
  const { servers } = options;
  const signIn = createSignIn({ ...options, kindOf });
  const strategyOf = strategiesOf(options, signIn.strategy);
  const { isPlainHttpHost = () => false } = options;
  const tokenProblem = (server: McpServer): string | undefined =>
    server.spec.type === 'stdio' || kindOf(server) === 'shared'
      ? undefined
      : findTokenProblem(server.spec.url, isPlainHttpHost);
  /** Returns the refusal of a server that no token may be sent to. */
  const refuse = (server: McpServer): NoCredential | undefined => {
    const reason = tokenProblem(server);
    if (reason === undefined) return undefined;
    const { name } = server.metadata;
    options.observe({ code: 'forwarding-failed', server: name, problem: PLAIN_HTTP });
    return { ok: false, code: 'unavailable', reason };
  };
  const credentials: ServerCredentials = {
    kindOf,
    tokenProblem,
    current: (server, principal) => refuse(server) ?? strategyOf(server).current(server, principal),
    rejected: async (server, principal, rejection) =>
      refuse(server) ?? strategyOf(server).rejected(server, principal, rejection),
    onChange: signIn.onChange,
  };
  return {
    credentials,
    login: async (server, principal) => {
      const reason = tokenProblem(server);
      return reason === undefined ? signIn.login(server, principal) : { code: 'failed', reason };
    },
    logout: signIn.logout,
    status: (principal) =>
      signInStatus({ servers, credentials, bindingOf: signIn.bindingOf }, principal),
    routes: signIn.routes,
    prefixes: signIn.prefixes,
    idTokenChanged: async ({ key: principalKey }) => {
      const affected = servers().filter((server) => kindOf(server) === 'sso');
      await Promise.all(
        affected.map(({ metadata }) => signIn.announce({ server: metadata.name, principalKey })),
      );
    },
    close: signIn.close,
  };
};
