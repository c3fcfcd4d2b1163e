import { escapeToLine } from '@gateway/service-host';
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  type AuthorizationServer,
  customFetch,
  processDiscoveryResponse,
  ResponseBodyError,
} from 'oauth4webapi';
import { isLoopback } from '../endpoint.ts';
import { CommandFailure, TemporaryFailure } from '../failure.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

/** Returns the URL. Throws unless it is https, or http on a loopback address. */
export const requireSecure = (url: URL): URL => {
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  if (isSecure) return url;
  throw new CommandFailure('refused', `sign-in requires https, and ${url.origin} is not`);
};

const readBounded = async (response: Response, url: URL): Promise<Buffer<ArrayBuffer> | null> => {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new CommandFailure('failed', `${url.origin} sent more than 1 MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends a request within 15 seconds, follows no redirect, and reads at most 1 MiB. */
const signInFetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
  const url = requireSecure(new URL(input));
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const body = await readBounded(response, url);
  const { status, headers } = response;
  return new Response(BODILESS.has(status) ? null : body, { status, headers });
};

/** The options of all requests to an authorization server. `signInFetch` decides which are secure. */
export const REQUEST_OPTIONS = {
  [customFetch]: signInFetch,
  [allowInsecureRequests]: true,
} as const;

const MAX_TEXT = 300;

/** Returns the error and description that a server sent, escaped and bounded. */
const refusalText = (error: string, description: string | undefined): string =>
  escapeToLine([error, description].filter(Boolean).join(': ')).slice(0, MAX_TEXT);

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  if (error instanceof Error && error.cause instanceof Error) return codeOf(error.cause);
  return error instanceof Error && error.name === 'TimeoutError'
    ? 'no answer in time'
    : 'unknown error';
};

/** Returns the failure of a step of a sign-in at an issuer. The text contains no code, verifier or token. */
export const signInFailure = (issuer: string, error: unknown): CommandFailure => {
  if (error instanceof CommandFailure) return error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const refusal = refusalText(error.error, error.error_description);
    return new CommandFailure('failed', `${issuer} refused the sign-in: ${refusal}`);
  }
  const reason = codeOf(error);
  const subject = `the sign-in at ${issuer}`;
  return new TemporaryFailure(`${subject} failed (${reason})`, { subject, reason });
};

/** The metadata of a gateway that requires a sign-in (RFC 9728). */
export interface GatewayResource {
  /** Identifier for the parameter `resource` (RFC 8707). */
  readonly resource: string;
  readonly issuers: readonly string[];
  /** The scopes of the challenge, otherwise those of the metadata. */
  readonly scopes: readonly string[];
}

interface Challenge {
  readonly metadataUrl: string | undefined;
  readonly scopes: readonly string[];
}

const words = (text: string | undefined): readonly string[] =>
  (text ?? '').split(' ').filter((word) => word !== '');

const parameter = (challenge: string, name: string): string | undefined =>
  new RegExp(`(?:^|[\\s,])${name}="([^"\\\\]{1,2048})"`, 'iu').exec(challenge)?.[1];

/** Returns the challenge of a request without a token, or undefined when the gateway does not require one. */
const requestChallenge = async (url: URL): Promise<Challenge | undefined> => {
  const response = await signInFetch(url, {
    method: 'GET',
    headers: { accept: 'text/event-stream' },
  });
  if (response.status !== 401) return undefined;
  const challenge = response.headers.get('www-authenticate') ?? '';
  return {
    metadataUrl: parameter(challenge, 'resource_metadata'),
    scopes: words(parameter(challenge, 'scope')),
  };
};

/** The places of the metadata, the most specific first. RFC 9728 section 3.1 */
const resourceMetadataUrls = (url: URL, { metadataUrl }: Challenge): readonly URL[] => {
  if (metadataUrl !== undefined) {
    return URL.canParse(metadataUrl) ? [requireSecure(new URL(metadataUrl))] : [];
  }
  const wellKnown = '/.well-known/oauth-protected-resource';
  return [new URL(wellKnown + url.pathname, url), new URL(wellKnown, url)];
};

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The resource is the endpoint, or a path above it. */
const covers = (resource: string, url: URL): boolean => {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return origin === url.origin && `${url.pathname}/`.startsWith(folder);
};

const parseMetadata = (
  value: unknown,
  url: URL,
): Omit<GatewayResource, 'scopes'> & {
  readonly scopesSupported: readonly string[];
} => {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = fields;
  if (typeof resource !== 'string' || !isTextList(issuers) || issuers.length === 0) {
    throw new CommandFailure('failed', `the sign-in metadata of ${url.origin} is not valid`);
  }
  if (!covers(resource, url)) {
    throw new CommandFailure(
      'failed',
      `the sign-in metadata of ${url.href} is for another address: use the URL under which the gateway is published`,
    );
  }
  return { resource, issuers, scopesSupported: isTextList(scopes) ? scopes : [] };
};

const fetchJson = async (url: URL): Promise<unknown> => {
  const response = await signInFetch(url, { headers: { accept: 'application/json' } });
  return response.status === 200 ? response.json().catch(() => undefined) : undefined;
};

/** Returns how to sign in to a gateway, or undefined when it does not require a sign-in. */
export const discoverResource = async (url: URL): Promise<GatewayResource | undefined> => {
  const challenge = await requestChallenge(requireSecure(url));
  if (challenge === undefined) return undefined;
  for (const place of resourceMetadataUrls(url, challenge)) {
    const value = await fetchJson(place);
    if (value === undefined) continue;
    const { scopesSupported, ...resource } = parseMetadata(value, url);
    const { scopes } = challenge;
    return { ...resource, scopes: scopes.length > 0 ? scopes : scopesSupported };
  }
  throw new CommandFailure('failed', `${url.href} requires a sign-in and does not say where`);
};

/** The places of the metadata of an issuer, in order: RFC 8414 section 3.1, then OpenID Connect Discovery. */
const issuerMetadataUrls = (issuer: URL): readonly URL[] => {
  const path = issuer.pathname.replace(/\/$/u, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (suffix) => `/.well-known/${suffix}${path}`,
  );
  const appended = path === '' ? [] : [`${path}/.well-known/openid-configuration`];
  return [...inserted, ...appended].map((place) => new URL(place, issuer));
};

/** Returns the metadata of an issuer. Its `issuer` is the same text, and it supports PKCE with S256. */
export const discoverServer = async (identifier: string): Promise<AuthorizationServer> => {
  if (!URL.canParse(identifier)) {
    throw new CommandFailure('failed', 'the gateway names an authorization server that is no URL');
  }
  const issuer = requireSecure(new URL(identifier));
  for (const url of issuerMetadataUrls(issuer)) {
    const response = await signInFetch(url, { headers: { accept: 'application/json' } });
    if (response.status !== 200) continue;
    const server = await processDiscoveryResponse(issuer, response);
    if (server.issuer !== identifier) {
      throw new CommandFailure('failed', `the metadata of ${identifier} names another issuer`);
    }
    if (server.code_challenge_methods_supported?.includes('S256') === true) return server;
    throw new CommandFailure('failed', `${identifier} does not support PKCE with S256`);
  }
  throw new CommandFailure(
    'failed',
    `${identifier} publishes no metadata of an authorization server`,
  );
};
