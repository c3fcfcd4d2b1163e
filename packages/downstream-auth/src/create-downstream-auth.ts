import * as z from 'zod/mini';
import type {
  CredentialChange,
  CredentialKind,
  IdTokenSource,
  NoCredential,
  Principal,
  ServerCredentials,
} from '@gateway/call-contract';
import { type AuthStrategy, resolveAuthStrategy, type McpServer } from '@gateway/crd-schemas';
import { createKeyedLock, type StateStore } from '@gateway/state-store';
import { computeFurtherScopes } from './challenge/bearer-challenge.ts';
import {
  CLIENT_DOCUMENT_PATH,
  createClients,
  type RegisteredClient,
} from './clients/identify-client.ts';
import { Discovery } from './discovery/discovery.ts';
import { GuardedFetches } from './discovery/metadata.ts';
import { createExchangeFetch, ExchangeStrategy } from './exchange/exchange-strategy.ts';
import { ForwardStrategy } from './forward/forward-strategy.ts';
import { findTokenProblem } from './id-tokens/id-token.ts';
import type { SecretSource, TokenStrategy } from './ports/credentials.ts';
import type {
  SignInCheck,
  SignInOutcome,
  SignOutOutcome,
  ServerSignIn,
  ServerSignInObserver,
  SignInLog,
} from './ports/sign-in.ts';
import { signInUser } from './sign-in/login.ts';
import { signOutUser } from './sign-in/logout.ts';
import { OAuthStrategy } from './sign-in/oauth-strategy.ts';
import { createPendingLogins } from './sign-in/pending-login.ts';
import { CALLBACK_PATH, createRoutes, type Routes, START_PATH } from './sign-in/routes.ts';
import {
  CredentialCache,
  ENDED,
  findServerUser,
  type ServerUser,
  type SignInContext,
  type SignInUrls,
} from './sign-in/sign-in-context.ts';
import { parseJson } from './storage/state.ts';
import { TokenVault } from './tokens/token-records.ts';

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

export interface DownstreamAuthOptions {
  readonly store: StateStore;
  /** The URL under which browsers reach the gateway, or a function that returns it when a sign-in starts; without it, users cannot sign in to servers. */
  readonly publicUrl: URL | undefined | (() => Promise<URL | undefined>);
  readonly servers: () => readonly McpServer[];
  readonly secrets: SecretSource;
  /** Absent where users do not sign in to the gateway. */
  readonly idTokens?: IdTokenSource;
  /** Allows private addresses for URLs that servers and providers name. */
  readonly allowPrivate: boolean;
  /** Returns whether the operator lets tokens go to a host over plain HTTP; none by default. */
  readonly isPlainHttpHost?: (hostname: string) => boolean;
  /** URLs that a sign-in may end at. */
  readonly redirects?: readonly string[];
  /** Absent where browsers do not sign in to the gateway. */
  readonly browserUser?: SignInCheck;
  readonly clients?: readonly RegisteredClient[];
  /** URL of a client ID metadata document that the operator publishes instead of the gateway's own. */
  readonly clientDocumentUrl?: string;
  /** Returns true when a server without `spec.auth` refused its connection with 401. */
  readonly isAuthRequired?: (server: string) => boolean;
  readonly log: SignInLog;
  readonly observe?: ServerSignInObserver;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly clock?: () => number;
}

/** The sign-in of users to servers. No method rejects. */
export interface DownstreamAuth {
  readonly credentials: ServerCredentials;
  readonly login: (server: McpServer, principal: Principal) => Promise<SignInOutcome>;
  readonly logout: (server: McpServer, principal: Principal) => Promise<SignOutOutcome>;
  /** Returns the sign-in of a user to each server that signs users in, in the order of the servers. */
  readonly status: (principal: Principal) => Promise<readonly ServerSignIn[]>;
  /** Handlers by path, for the listener that `publicUrl` names. */
  readonly routes: Routes;
  /** Handlers of all paths with a prefix, for the same listener. */
  readonly prefixes: Routes;
  /** Reports that a user has another ID token to every process, for the servers that use it. */
  readonly reportIdToken: (principal: Pick<Principal, 'key'>) => Promise<void>;
  readonly close: () => void;
}

type CompleteOptions = DownstreamAuthOptions & {
  readonly observe: ServerSignInObserver;
  readonly clock: () => number;
};

const createUrls = (publicUrl: URL, documentUrl: string | undefined): SignInUrls => {
  const base = publicUrl.origin + publicUrl.pathname.replace(/\/+$/, '');
  return {
    start: base + START_PATH,
    callback: base + CALLBACK_PATH,
    document: documentUrl ?? base + CLIENT_DOCUMENT_PATH,
    isOwnDocument: documentUrl === undefined,
  };
};

const createContext = (options: CompleteOptions, changes: SignInChanges): SignInContext => {
  const { store, publicUrl, servers, clients = [], secrets, clock } = options;
  const lock = createKeyedLock(store);
  const fetches = new GuardedFetches(options.allowPrivate);
  const cache = new CredentialCache();
  changes.onChange((changed) => cache.delete(changed));
  return {
    vault: new TokenVault(store),
    cache,
    lock,
    logins: createPendingLogins(store),
    clients: createClients({ store, lock, clients, secrets, clock }),
    discovery: new Discovery(fetches),
    fetches,
    servers,
    redirects: options.redirects ?? [],
    browserUser: options.browserUser,
    clock,
    log: options.log,
    observe: options.observe,
    urls: async () => {
      const url = typeof publicUrl === 'function' ? await publicUrl() : publicUrl;
      return url && createUrls(url, options.clientDocumentUrl);
    },
    announce: changes.announce,
  };
};

const UNAVAILABLE: NoCredential = {
  ok: false,
  code: 'unavailable',
  reason: 'The server is not a remote one.',
};

const toUnavailableRefusal: TokenStrategy = {
  current: () => UNAVAILABLE,
  renewRejected: () => Promise.resolve(UNAVAILABLE),
};

const KINDS: Readonly<Record<AuthStrategy['kind'], CredentialKind>> = {
  tokenExchange: 'sso',
  forwardToken: 'sso',
  oauth: 'oauth',
  none: 'shared',
};

const createKinds =
  ({ isAuthRequired }: DownstreamAuthOptions) =>
  ({ spec, metadata }: McpServer): CredentialKind => {
    if (spec.type === 'stdio') return 'shared';
    const kind = KINDS[resolveAuthStrategy(spec.auth).kind];
    return kind === 'shared' && isAuthRequired?.(metadata.name) === true ? 'oauth' : kind;
  };

const PLAIN_HTTP =
  'spec.url is not an https:// URL, and servers.plainHttpTokenHosts does not name its host';

const createCredentials = (
  options: CompleteOptions,
  oauth: OAuthStrategy,
  onChange: SignInChanges['onChange'],
): ServerCredentials => {
  const { idTokens, secrets, observe, clock: now, isPlainHttpHost = () => false } = options;
  const findKind = createKinds(options);
  const strategies: Readonly<Record<AuthStrategy['kind'], TokenStrategy>> = {
    tokenExchange: new ExchangeStrategy({
      fetch: createExchangeFetch(),
      secrets,
      idTokens,
      observe,
      now,
    }),
    forwardToken: new ForwardStrategy({ idTokens, observe, now }),
    oauth,
    none: oauth,
  };
  const findStrategy = ({ spec }: McpServer): TokenStrategy =>
    spec.type === 'stdio' ? toUnavailableRefusal : strategies[resolveAuthStrategy(spec.auth).kind];
  const tokenProblem = (server: McpServer): string | undefined =>
    server.spec.type === 'stdio' || findKind(server) === 'shared'
      ? undefined
      : findTokenProblem(server.spec.url, isPlainHttpHost);
  const refuse = (server: McpServer): NoCredential | undefined => {
    const reason = tokenProblem(server);
    if (reason === undefined) return undefined;
    observe({ code: 'forwarding-failed', server: server.metadata.name, problem: PLAIN_HTTP });
    return { ok: false, code: 'unavailable', reason };
  };
  return {
    findKind,
    tokenProblem,
    current: (server, principal) =>
      refuse(server) ?? findStrategy(server).current(server, principal),
    renewRejected: async (server, principal, rejection) =>
      refuse(server) ?? findStrategy(server).renewRejected(server, principal, rejection),
    onChange,
  };
};

/** Returns the sign-in of a user to a server; `undefined` for a server without sign-in of users. */
const findSignIn = async (
  { vault }: SignInContext,
  credentials: ServerCredentials,
  server: McpServer,
  principal: Principal,
): Promise<ServerSignIn | undefined> => {
  const kind = credentials.findKind(server);
  const user = findServerUser(server, principal);
  if (kind === 'shared' || user === undefined) return undefined;
  const { name } = server.metadata;
  const outcome = await credentials.current(server, principal);
  const result = outcome.ok
    ? { status: 'signed-in' as const }
    : { status: outcome.code, reason: outcome.reason };
  if (kind === 'sso') {
    const isExchanged =
      server.spec.type !== 'stdio' &&
      resolveAuthStrategy(server.spec.auth).kind === 'tokenExchange';
    const way = isExchanged ? { tokenExchange: true } : { tokenForwarding: true };
    return { server: name, kind, ...result, ...way };
  }
  const binding = await vault.binding(user).catch(() => undefined);
  if (binding === undefined) return { server: name, kind, ...result };
  const { issuer, scope, pendingScope } = binding;
  const again =
    outcome.ok && pendingScope !== undefined
      ? {
          status: 'sign-in-again' as const,
          reason: ENDED.scopes(name, computeFurtherScopes(scope, pendingScope)),
        }
      : result;
  return { server: name, kind, ...again, issuer, ...(scope !== '' && { scope }) };
};

/** Creates the sign-in of users to servers. @spec §2.6 auth */
export const createDownstreamAuth = (settings: DownstreamAuthOptions): DownstreamAuth => {
  const options: CompleteOptions = { observe: () => undefined, clock: Date.now, ...settings };
  const { servers } = options;
  const changes = createSignInChanges(options.store);
  const context = createContext(options, changes);
  const strategy = new OAuthStrategy(context);
  const credentials = createCredentials(options, strategy, changes.onChange);
  const { tokenProblem } = credentials;
  /** Returns the user at a server that signs users in itself, or the answer for another server. */
  const signInAt = (
    server: McpServer,
    principal: Principal,
  ): ServerUser | { readonly code: 'not-required' | 'sso' } => {
    const kind = credentials.findKind(server);
    if (kind === 'sso') return { code: 'sso' };
    const user = kind === 'oauth' ? findServerUser(server, principal) : undefined;
    return user ?? { code: 'not-required' };
  };
  return {
    credentials,
    login: async (server, principal) => {
      const reason = tokenProblem(server);
      if (reason !== undefined) return { code: 'failed', reason };
      const user = signInAt(server, principal);
      return 'code' in user ? user : signInUser(context, strategy, user, principal);
    },
    logout: async (server, principal) => {
      const user = signInAt(server, principal);
      return 'code' in user ? user : signOutUser(context, user);
    },
    status: async (principal) => {
      const all = servers().map((server) => findSignIn(context, credentials, server, principal));
      return (await Promise.all(all)).filter((one) => one !== undefined);
    },
    ...createRoutes(context),
    reportIdToken: async ({ key: principalKey }) => {
      const affected = servers().filter((server) => credentials.findKind(server) === 'sso');
      await Promise.all(
        affected.map(({ metadata }) => changes.announce({ server: metadata.name, principalKey })),
      );
    },
    close: changes.close,
  };
};
