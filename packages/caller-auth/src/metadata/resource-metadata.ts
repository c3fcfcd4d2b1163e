import type { RequestListener } from 'node:http';

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
export const bearerChallenge = (metadataUrl: string, { error, scopes }: ChallengeFacts): string => {
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
export const metadataUrlOf = (resource: string): string => {
  const { origin, pathname } = new URL(resource);
  return `${origin}${metadataPathOf(pathname)}`;
};

const metadataPathOf = (pathname: string): string =>
  `${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;

/**
 * Returns the routes that serve the metadata: at the path of the resource, and at the root for clients that ask there.
 * Browsers may read it from every page (CORS), since it is public.
 */
export const resourceMetadataRoutes = (
  resource: ProtectedResource,
): Readonly<Record<string, RequestListener>> => {
  const handler = documentRoute({
    resource: resource.resource,
    authorization_servers: resource.authorizationServers,
    bearer_methods_supported: ['header'],
    ...(resource.scopes.length > 0 && { scopes_supported: resource.scopes }),
    resource_name: resource.name ?? 'MCP gateway',
  });
  return {
    [WELL_KNOWN]: handler,
    // The path of the endpoint, also where a proxy serves it under another one.
    [metadataPathOf('/mcp')]: handler,
    [metadataPathOf(new URL(resource.resource).pathname)]: handler,
  };
};

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '3600',
} as const;

/** Returns a handler that answers `GET` and `HEAD` with a public JSON document, and preflights of browsers. */
const documentRoute = (document: object): RequestListener => {
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
