import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@gateway/call-contract';
import { authStrategyOf } from '@gateway/crd-schemas';
import type { AuthStrategy, McpServer } from '@gateway/crd-schemas';
import type { StateStore } from '@gateway/state-store';
import { createExchangeFetch } from './exchange/exchange-fetch.ts';
import { createExchangeStrategy } from './exchange/exchange-strategy.ts';
import { createForwardStrategy } from './forward/forward-strategy.ts';
import type { CredentialKind, NoCredential, ServerCredentials } from './ports/credentials.ts';
import type { IdTokenSource } from './ports/id-token-source.ts';
import type { SecretSource } from './ports/secret-source.ts';
import type { SignInLog } from './ports/sign-in-log.ts';
import type { LoginOutcome, LogoutOutcome, ServerSignIn } from './ports/sign-in-outcome.ts';
import type { TokenStrategy } from './ports/token-strategy.ts';

/** A client that the operator registered at an authorization server. */
export interface RegisteredClient {
  /** The issuer that the client belongs to. */
  readonly issuer: string;
  readonly clientId: string;
  /** Reads the secret; absent for a public client. */
  readonly clientSecret?: () => Promise<string | undefined>;
}

/** Options of sign-in to servers. */
export interface DownstreamAuthOptions {
  readonly store: StateStore;
  /** The URL under which browsers reach the gateway; without it, persons cannot sign in to servers. */
  readonly publicUrl: URL | undefined;
  /** The servers that exist now. */
  readonly servers: () => readonly McpServer[];
  readonly secrets: SecretSource;
  /** Absent where persons do not sign in to the gateway. */
  readonly idTokens?: IdTokenSource;
  /** Allows private addresses for URLs that servers and providers name. */
  readonly allowPrivate: boolean;
  /** URLs that a sign-in may end at. */
  readonly redirects?: readonly string[];
  readonly clients?: readonly RegisteredClient[];
  /** Returns true when a server without `spec.auth` refused its connection with 401. */
  readonly isAuthRequired?: (server: string) => boolean;
  readonly log: SignInLog;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly clock?: () => number;
}

/** The sign-in of persons to servers. No method rejects. */
export interface DownstreamAuth {
  readonly credentials: ServerCredentials;
  login(server: McpServer, principal: Principal): Promise<LoginOutcome>;
  logout(server: McpServer, principal: Principal): Promise<LogoutOutcome>;
  /** Returns the sign-in of a person to each server that signs persons in, in the order of the servers. */
  status(principal: Principal): Promise<readonly ServerSignIn[]>;
  /** Handlers by path, for the listener that `publicUrl` names. */
  readonly routes: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => void>
  >;
  close(): void;
}

const UNAVAILABLE: NoCredential = {
  ok: false,
  code: 'unavailable',
  reason: 'this kind of sign-in is not available',
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

/** Creates the sign-in of persons to servers. @spec §2.6 auth */
export const createDownstreamAuth = (options: DownstreamAuthOptions): DownstreamAuth => {
  const kindOf = ({ spec, metadata }: McpServer): CredentialKind => {
    if (spec.type === 'stdio') return 'shared';
    const kind = KINDS[authStrategyOf(spec.auth).kind];
    const isRefused = kind === 'shared' && options.isAuthRequired?.(metadata.name) === true;
    return isRefused ? 'oauth' : kind;
  };
  const { idTokens, secrets, clock: now = Date.now } = options;
  const strategies: Readonly<Record<AuthStrategy['kind'], TokenStrategy>> = {
    tokenExchange: createExchangeStrategy({ fetch: createExchangeFetch(), secrets, idTokens, now }),
    forwardToken: createForwardStrategy({ idTokens, now }),
    oauth: unavailable,
    none: unavailable,
  };
  const strategyOf = ({ spec }: McpServer): TokenStrategy =>
    spec.type === 'stdio' ? unavailable : strategies[authStrategyOf(spec.auth).kind];
  return {
    credentials: {
      kindOf,
      current: (server, principal) => strategyOf(server).current(server, principal),
      rejected: (server, principal, rejection) =>
        strategyOf(server).rejected(server, principal, rejection),
      onChange: () => () => undefined,
    },
    login: () => Promise.resolve({ code: 'not-configured' }),
    logout: () => Promise.resolve({ code: 'not-signed-in' }),
    status: () => Promise.resolve([]),
    routes: {},
    close: () => undefined,
  };
};
