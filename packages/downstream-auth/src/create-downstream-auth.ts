import type { Principal } from '@gateway/call-contract';
import { authStrategyOf } from '@gateway/crd-schemas';
import type { AuthStrategy, McpServer } from '@gateway/crd-schemas';
import type { StateStore } from '@gateway/state-store';
import { createExchangeFetch } from './exchange/exchange-fetch.ts';
import { createExchangeStrategy } from './exchange/exchange-strategy.ts';
import { createForwardStrategy } from './forward/forward-strategy.ts';
import type { CredentialKind, NoCredential, ServerCredentials } from './ports/credentials.ts';
import type { BrowserCheck } from './ports/browser-person.ts';
import { findTokenProblem } from './id-tokens/token-target.ts';
import type { IdTokenSource } from './ports/id-token-source.ts';
import type { RegisteredClient } from './clients/identify-client.ts';
import type { SecretSource } from './ports/secret-source.ts';
import type { ServerSignInObserver } from './ports/sign-in-fact.ts';
import type { SignInLog } from './ports/sign-in-log.ts';
import type { LoginOutcome, LogoutOutcome, ServerSignIn } from './ports/sign-in-outcome.ts';
import { createSignIn } from './sign-in/create-sign-in.ts';
import type { Routes } from './sign-in/routes.ts';
import { signInStatus } from './sign-in/sign-in-status.ts';
import type { TokenStrategy } from './ports/token-strategy.ts';

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
