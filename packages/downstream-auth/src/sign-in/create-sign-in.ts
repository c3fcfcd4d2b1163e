import type { Principal } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import type { StateStore } from '@gateway/state-store';
import { CLIENT_DOCUMENT_PATH } from '../clients/client-document.ts';
import { createClients } from '../clients/identify-client.ts';
import type { RegisteredClient } from '../clients/identify-client.ts';
import { createDiscovery } from '../discovery/discovery.ts';
import { createGuardedFetches } from '../discovery/guarded-fetches.ts';
import type { BrowserCheck } from '../ports/browser-person.ts';
import type { CredentialKind } from '../ports/credentials.ts';
import type { SecretSource } from '../ports/secret-source.ts';
import type { ServerSignInObserver } from '../ports/sign-in-fact.ts';
import type { SignInLog } from '../ports/sign-in-log.ts';
import type { LoginOutcome, LogoutOutcome } from '../ports/sign-in-outcome.ts';
import { createKeyedLock } from '../storage/keyed-lock.ts';
import type { Binding } from '../tokens/token-records.ts';
import { createTokenVault } from '../tokens/token-vault.ts';
import { createCredentialCache } from './credential-cache.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { createOAuthStrategy } from './oauth-strategy.ts';
import type { OAuthStrategy } from './oauth-strategy.ts';
import { createPendingLogins } from './pending-login.ts';
import { personAt } from './person.ts';
import { CALLBACK_PATH } from './callback-route.ts';
import { createRoutes } from './routes.ts';
import type { Routes } from './routes.ts';
import { START_PATH } from './start-route.ts';
import type { SignInContext } from './sign-in-context.ts';
import type { SignInUrls } from './sign-in-urls.ts';
import { createSignInChanges } from './sign-in-changes.ts';
import type { SignInChanges } from './sign-in-changes.ts';

/** Options of sign-in to servers of type `oauth`. */
export interface SignInOptions {
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
export interface SignIn {
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
export const createSignIn = (options: SignInOptions): SignIn => {
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
