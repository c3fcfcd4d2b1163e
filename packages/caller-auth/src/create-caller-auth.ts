import type { IncomingMessage } from 'node:http';
import type { AuthBackend, ForwardableTokens } from './auth-backend.ts';
import type { AuthSettings } from './auth-settings.ts';
import { brokerBackend, type BrokerDependencies } from './broker-backend.ts';
import { bearerChallenge } from './metadata/challenges.ts';
import {
  metadataUrlOf,
  resourceMetadataRoutes,
  type RouteHandler,
} from './metadata/resource-metadata.ts';
import type { Authenticated } from './tokens/authenticated.ts';
import { BearerAuthenticator } from './tokens/bearer-authenticator.ts';
import { GATEWAY_SCOPES, READ_SCOPE, type GatewayScope } from './tokens/scopes.ts';
import type { TokenRefusalCode } from './tokens/token-refusal.ts';

/** How callers sign in. */
export interface CallerAuth {
  /** Returns the principal of a request, synchronously where its token was verified before; never rejects. */
  readonly authenticate: (
    request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
  ) => Authenticated | Promise<Authenticated>;
  /** Returns the value of `WWW-Authenticate` for a call whose token lacks scopes. */
  readonly scopeChallenge: (scopes: readonly string[]) => string;
  /** Handlers by exact path: metadata, and the endpoints of mode `broker`. */
  readonly routes: Readonly<Record<string, RouteHandler>>;
  /** Handlers of all paths with a prefix. */
  readonly prefixes: Readonly<Record<string, RouteHandler>>;
  /** The scopes that a token can have; a scope that no issuer grants is not requested from clients. */
  readonly scopes: readonly GatewayScope[];
  readonly idTokens: ForwardableTokens;
  readonly close: () => Promise<void>;
}

/** The dependencies of {@link createCallerAuth}. */
export interface CallerAuthDependencies {
  /** Where clients reach the gateway. */
  readonly publicUrl: URL;
  /** Reads a file with a secret, relative to the configuration directory. */
  readonly readSecret: (file: string) => Promise<string>;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called for each refused request, with a code of a bounded set. */
  readonly onRefused?: (code: TokenRefusalCode) => void;
  /** Called when an issuer does not answer. The error contains no secrets. */
  readonly onUnavailable?: (issuer: string, error: unknown) => void;
  /** Required in mode `broker`. */
  readonly broker?: BrokerDependencies;
}

/**
 * Creates the sign-in of callers; `undefined` in mode `none`. Rejects when a secret cannot be read, and with the reasons of the broker.
 * Issuers that do not answer delay nothing.
 */
export const createCallerAuth = async (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
): Promise<CallerAuth | undefined> => {
  const { publicUrl, onRefused, now = Date.now } = dependencies;
  const resource = settings.resource ?? resourceOf(publicUrl);
  const backend = await backendOf(settings, dependencies, resource);
  if (backend === undefined) return undefined;
  const { verifier, authorizationServers, scopes, idTokens } = backend;
  const metadataUrl = metadataUrlOf(resource);
  const readScopes = scopes.filter((scope) => scope === READ_SCOPE);
  const challenge = (error: string | undefined): string =>
    bearerChallenge(metadataUrl, { error, scopes: readScopes });
  const { authenticate } = new BearerAuthenticator({ verifier, challenge, now, onRefused });
  return {
    ...{ authenticate, idTokens, scopes },
    scopeChallenge: (wanted) =>
      bearerChallenge(metadataUrl, { error: 'insufficient_scope', scopes: wanted }),
    routes: {
      ...resourceMetadataRoutes({ resource, authorizationServers, scopes }),
      ...backend.routes,
    },
    prefixes: backend.prefixes ?? {},
    close: backend.close ?? (() => Promise.resolve()),
  };
};

/** Returns the identifier of the gateway as a protected resource: the URL of its MCP endpoint. */
export const resourceOf = (publicUrl: URL): string =>
  `${publicUrl.origin}${publicUrl.pathname.replace(/\/$/, '')}/mcp`;

const backendOf = (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend | undefined> => {
  switch (settings.mode) {
    case 'none':
      return Promise.resolve(undefined);
    case 'resource-server':
      return resourceServerBackend(settings, dependencies, resource);
    case 'broker':
      return brokerBackend(settings, dependencies, resource);
  }
};

const resourceServerBackend = async (
  { issuers, allowPrivate }: AuthSettings,
  { readSecret, now = Date.now, onUnavailable = () => undefined }: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend> => {
  // Loaded in this mode only: it takes time that other modes need not spend at their start.
  const { createResourceServer, ForwardedTokens } = await import('./resource-server/index.ts');
  const forwarded = new ForwardedTokens(now);
  const verifier = await createResourceServer({
    ...{ issuers, resource, allowPrivate, readSecret, forwarded, now, onUnavailable },
  });
  return {
    verifier,
    idTokens: forwarded,
    authorizationServers: issuers.map(({ issuer }) => issuer),
    scopes: GATEWAY_SCOPES.filter((scope) => issuers.some(({ scopes }) => scopes.includes(scope))),
  };
};
