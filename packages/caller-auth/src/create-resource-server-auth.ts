import {
  type AuthenticationOutcome,
  GATEWAY_SCOPES,
  type Principal,
  READ_SCOPE,
} from '@gateway/call-contract';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AuthBackend, CallerSignInObserver, TokenVerification } from './auth-backend.ts';
import type { StateStore } from '@gateway/state-store';
import type { AuthSettings } from './auth-settings.ts';
import { BearerAuthenticator } from './bearer-authenticator.ts';

/** The facts of a refused request. */
interface ChallengeFacts {
  /** Code of RFC 6750 §3.1; absent for a request without a token. */
  readonly error?: string | undefined;
  /** The scopes of the request. */
  readonly scopes: readonly string[];
}

/** Explains `invalid_token` to developers of clients. It is the same for every reason, so that it reveals nothing about the token. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  invalid_request: 'The request is malformed',
  invalid_token: 'The access token is invalid or has expired',
  insufficient_scope: 'The access token lacks a scope',
};

/** Returns a `WWW-Authenticate` value of RFC 6750 §3 with the metadata of RFC 9728 §5.1, and the scopes of the request. */
const formatChallenge = (metadataUrl: string, { error, scopes }: ChallengeFacts): string => {
  const description = error === undefined ? undefined : DESCRIPTIONS[error];
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description}"`]),
    `resource_metadata="${metadataUrl}"`,
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ];
  return `Bearer ${parameters.join(', ')}`;
};

/** The gateway as a protected resource. RFC 9728 §2 */
interface ProtectedResource {
  /** Identifier of the resource: the URL that clients send requests to. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  /** The scopes that clients can request; `offline_access` is a matter between a client and its authorization server. */
  readonly scopes: readonly string[];
  /** For people; `MCP gateway` when absent. */
  readonly name?: string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Returns the URL of the metadata of a resource. RFC 9728 §3.1 */
const formatMetadataUrl = (resource: string): string => {
  const { origin, pathname } = new URL(resource);
  return `${origin}${formatMetadataPath(pathname)}`;
};

const formatMetadataPath = (pathname: string): string =>
  `${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;

/**
 * Returns the routes that serve the metadata: at the path of the resource, and at the root for clients that ask there.
 * Browsers may read it from every page (CORS), since it is public.
 */
const createMetadataRoutes = (
  resource: ProtectedResource,
): Readonly<Record<string, RequestListener>> => {
  const handler = createDocumentRoute({
    resource: resource.resource,
    authorization_servers: resource.authorizationServers,
    bearer_methods_supported: ['header'],
    ...(resource.scopes.length > 0 && { scopes_supported: resource.scopes }),
    resource_name: resource.name ?? 'MCP gateway',
  });
  return {
    [WELL_KNOWN]: handler,
    // The path of the endpoint, also where a proxy serves it under another one.
    [formatMetadataPath('/mcp')]: handler,
    [formatMetadataPath(new URL(resource.resource).pathname)]: handler,
  };
};

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '3600',
} as const;

/** Returns a handler that answers `GET` and `HEAD` with a public JSON document, and preflights of browsers. */
const createDocumentRoute = (document: object): RequestListener => {
  const body = Buffer.from(JSON.stringify(document));
  const headers = {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    ...CORS,
  };
  return ({ method }, response) => {
    if (method === 'GET') response.writeHead(200, headers).end(body);
    else if (method === 'HEAD') response.writeHead(200, headers).end();
    else if (method === 'OPTIONS') response.writeHead(204, CORS).end();
    else response.writeHead(405, { allow: 'GET, HEAD, OPTIONS', 'content-length': 0 }).end();
  };
};

/** How callers sign in. */
export interface CallerAuth
  extends
    Pick<AuthBackend, 'idTokens' | 'scopes' | 'browserUser'>,
    Required<Pick<AuthBackend, 'prefixes' | 'startPaths' | 'close'>> {
  /**
   * Returns the principal of a request, synchronously where its token was verified before; never rejects. `mayVerify` is asked before a token is
   * verified that is not known.
   */
  readonly authenticate: (
    request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
    mayVerify?: () => boolean,
  ) => AuthenticationOutcome | Promise<AuthenticationOutcome>;
  /** Returns the value of `WWW-Authenticate` for a call whose token lacks scopes. */
  readonly scopeChallenge: (scopes: readonly string[]) => string;
  /** Handlers by exact path: metadata, and the endpoints of mode `broker`. */
  readonly routes: Readonly<Record<string, RequestListener>>;
}

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
   * Called when a user has an ID token, or a token that may be forwarded, with other audiences than before, or for the first time in this
   * process. Must not reject.
   */
  readonly onIdToken?: (principal: Principal) => Promise<void>;
  /** Required in mode `broker`. */
  readonly broker?: {
    readonly store: StateStore;
    /** Returns the audiences that downstream servers require of ID tokens at this moment. */
    readonly requiredAudiences: () => readonly string[];
    /** Path of this gateway at which users continue after they signed a browser in to it. */
    readonly returnPath: string;
    /** Called with one line about a failure, without values of requests. */
    readonly onFailure: (line: string) => void;
  };
}

/** Returns the sign-in of callers whose tokens a backend verifies. @param resource identifier of the service in tokens */
export const createAuth = (
  backend: AuthBackend,
  { resourceName, now = Date.now, onVerified }: CallerAuthDependencies,
  resource: string,
): CallerAuth => {
  const { verifier, authorizationServers, scopes, idTokens } = backend;
  const metadataUrl = formatMetadataUrl(resource);
  const readScopes = scopes.filter((scope) => scope === READ_SCOPE);
  const challenge = (error: string | undefined): string =>
    formatChallenge(metadataUrl, { error, scopes: readScopes });
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
      formatChallenge(metadataUrl, { error: 'insufficient_scope', scopes: wanted }),
    routes: {
      ...createMetadataRoutes({
        resource,
        authorizationServers,
        scopes,
        ...(resourceName !== undefined && { name: resourceName }),
      }),
      ...backend.routes,
    },
    prefixes: backend.prefixes ?? {},
    startPaths: backend.startPaths ?? [],
    ...(backend.browserUser && { browserUser: backend.browserUser }),
    close: backend.close ?? (() => Promise.resolve()),
  };
};

/** Returns the identifier of the gateway as a protected resource: the URL of its MCP endpoint. */
export const resolveResource = (publicUrl: URL): string =>
  `${publicUrl.origin}${publicUrl.pathname.replace(/\/$/, '')}/mcp`;

/** Creates the verification of tokens of the configured issuers. Rejects when a secret cannot be read. */
export const createResourceServerBackend = async (
  { issuers, adminGroups, allowPrivate }: AuthSettings,
  dependencies: CallerAuthDependencies,
  resource: string,
): Promise<AuthBackend> => {
  const { readSecret, now = Date.now, onUnavailable = () => undefined, onIdToken } = dependencies;
  // Loaded in this mode only: it takes time that other modes need not spend at their start.
  const { createResourceServer, ForwardedTokens } =
    await import('./resource-server/create-resource-server.ts');
  const forwarded = new ForwardedTokens(issuers, now, (principal) => void onIdToken?.(principal));
  const verifier = await createResourceServer({
    issuers,
    adminGroups,
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
  const resource = settings.resource ?? resolveResource(dependencies.publicUrl);
  const backend = await createResourceServerBackend(settings, dependencies, resource);
  return createAuth(backend, dependencies, resource);
};
