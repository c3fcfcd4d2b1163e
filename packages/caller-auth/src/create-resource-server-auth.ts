import type { IncomingMessage, RequestListener } from 'node:http';
import type { Principal, Authenticated } from '@gateway/call-contract';
import type { StateStore } from '@gateway/state-store';
import type { AuthBackend, CallerSignInObserver, TokenVerification } from './auth-backend.ts';
import type { AuthSettings } from './auth-settings.ts';
import {
  bearerChallenge,
  metadataUrlOf,
  resourceMetadataRoutes,
} from './metadata/resource-metadata.ts';
import { BearerAuthenticator } from './tokens/bearer-authenticator.ts';
import { GATEWAY_SCOPES, READ_SCOPE } from './tokens/token-verifier.ts';

/** How callers sign in. */
export interface CallerAuth
  extends
    Pick<AuthBackend, 'idTokens' | 'scopes' | 'browserPerson'>,
    Required<Pick<AuthBackend, 'prefixes' | 'startPaths' | 'close'>> {
  /**
   * Returns the principal of a request, synchronously where its token was verified before; never rejects. `mayVerify` is asked before a token is
   * verified that is not known.
   */
  readonly authenticate: (
    request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
    mayVerify?: () => boolean,
  ) => Authenticated | Promise<Authenticated>;
  /** Returns the value of `WWW-Authenticate` for a call whose token lacks scopes. */
  readonly scopeChallenge: (scopes: readonly string[]) => string;
  /** Handlers by exact path: metadata, and the endpoints of mode `broker`. */
  readonly routes: Readonly<Record<string, RequestListener>>;
}

/** The dependencies of {@link createCallerAuth}. */
export interface CallerAuthDependencies {
  /** Where clients reach the gateway. */
  readonly publicUrl: URL;
  /** Name of the service for people; that of the gateway when absent. */
  readonly resourceName?: string;
  /** Reads a file with a secret, relative to the configuration directory. */
  readonly readSecret: (file: string) => Promise<string>;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called when an issuer does not answer. The error contains no secrets. */
  readonly onUnavailable?: (issuer: string, error: unknown) => void;
  /** Receives facts about sign-ins, in mode `broker`. */
  readonly observe?: CallerSignInObserver;
  /** Called after the verification of a token that was not in memory. */
  readonly onVerified?: (verification: TokenVerification) => void;
  /**
   * Called when a person has an ID token, or a token that may be forwarded, with other audiences than before, or for the first time in this
   * process. Must not reject.
   */
  readonly onIdToken?: (principal: Principal) => Promise<void>;
  /** Required in mode `broker`. */
  readonly broker?: {
    readonly store: StateStore;
    /** Returns the audiences that downstream servers require of ID tokens at this moment. */
    readonly requiredAudiences: () => readonly string[];
    /** Path of this gateway at which persons continue after they signed a browser in to it. */
    readonly returnPath: string;
    /** Called with one line about a failure, without values of requests. */
    readonly onFailure: (line: string) => void;
  };
}

/** Returns the sign-in of callers whose tokens a backend verifies. @param resource identifier of the service in tokens */
export const callerAuthOver = (
  backend: AuthBackend,
  { resourceName, now = Date.now, onVerified }: CallerAuthDependencies,
  resource: string,
): CallerAuth => {
  const { verifier, authorizationServers, scopes, idTokens } = backend;
  const metadataUrl = metadataUrlOf(resource);
  const readScopes = scopes.filter((scope) => scope === READ_SCOPE);
  const challenge = (error: string | undefined): string =>
    bearerChallenge(metadataUrl, { error, scopes: readScopes });
  const { authenticate } = new BearerAuthenticator({
    verifier,
    challenge,
    now,
    ...(onVerified && { onVerified }),
  });
  return {
    authenticate,
    idTokens,
    scopes,
    scopeChallenge: (wanted) =>
      bearerChallenge(metadataUrl, { error: 'insufficient_scope', scopes: wanted }),
    routes: {
      ...resourceMetadataRoutes({
        resource,
        authorizationServers,
        scopes,
        ...(resourceName !== undefined && { name: resourceName }),
      }),
      ...backend.routes,
    },
    prefixes: backend.prefixes ?? {},
    startPaths: backend.startPaths ?? [],
    ...(backend.browserPerson && { browserPerson: backend.browserPerson }),
    close: backend.close ?? (() => Promise.resolve()),
  };
};

/** Returns the identifier of the gateway as a protected resource: the URL of its MCP endpoint. */
export const resourceOf = (publicUrl: URL): string =>
  `${publicUrl.origin}${publicUrl.pathname.replace(/\/$/, '')}/mcp`;

/** Creates the verification of tokens of the configured issuers. Rejects when a secret cannot be read. */
export const resourceServerBackend = async (
  { issuers, allowPrivate }: AuthSettings,
  dependencies: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend> => {
  const { readSecret, now = Date.now, onUnavailable = () => undefined, onIdToken } = dependencies;
  // Loaded in this mode only: it takes time that other modes need not spend at their start.
  const { createResourceServer, ForwardedTokens } =
    await import('./resource-server/create-resource-server.ts');
  const forwarded = new ForwardedTokens({
    issuers,
    now,
    onChanged: (principal) => void onIdToken?.(principal),
  });
  const verifier = await createResourceServer({
    issuers,
    resource,
    allowPrivate,
    readSecret,
    forwarded,
    now,
    onUnavailable,
  });
  return {
    verifier,
    idTokens: forwarded,
    authorizationServers: issuers.map(({ issuer }) => issuer),
    scopes: GATEWAY_SCOPES.filter((scope) => issuers.some(({ scopes }) => scopes.includes(scope))),
  };
};

/**
 * Creates the sign-in of callers of mode `resource-server`, for programs without the broker and its libraries. Rejects when a secret cannot
 * be read. Issuers that do not answer delay nothing.
 */
export const createResourceServerAuth = async (
  settings: AuthSettings,
  dependencies: CallerAuthDependencies,
): Promise<CallerAuth> => {
  const resource = settings.resource ?? resourceOf(dependencies.publicUrl);
  const backend = await resourceServerBackend(settings, dependencies, resource);
  return callerAuthOver(backend, dependencies, resource);
};
