import { toObject } from '@gateway/call-contract';
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
import { CommandFailure, findErrorCode, TemporaryFailure } from '../failure.ts';

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

const MAX_REFUSAL_CHARS = 300;

/** Returns the failure of a step of a sign-in at an issuer. The text contains no code, verifier or token. */
export const signInFailure = (issuer: string, error: unknown): CommandFailure => {
  if (error instanceof CommandFailure) return error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const refusal = [error.error, error.error_description].filter(Boolean).join(': ');
    return new CommandFailure(
      'failed',
      `${issuer} refused the sign-in: ${escapeToLine(refusal).slice(0, MAX_REFUSAL_CHARS)}`,
    );
  }
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const reason = findErrorCode(error, /./u) ?? (isLate ? 'no answer in time' : 'unknown error');
  const subject = `the sign-in at ${issuer}`;
  return new TemporaryFailure(`${subject} failed (${reason})`, { subject, reason });
};

/** The metadata of a gateway that requires a sign-in (RFC 9728). */
export interface ProtectedResource {
  /** Identifier for the parameter `resource` (RFC 8707). */
  readonly resource: string;
  readonly issuers: readonly string[];
  /** The scopes of the challenge, otherwise those of the metadata. */
  readonly scopes: readonly string[];
  /** The scopes of the metadata. */
  readonly supportedScopes: readonly string[];
}

const findParameter = (challenge: string, name: string): string | undefined =>
  new RegExp(`(?:^|[\\s,])${name}="([^"\\\\]{1,2048})"`, 'iu').exec(challenge)?.[1];

/** The places of the metadata, the most specific first. RFC 9728 section 3.1 */
const listResourceMetadataUrls = (url: URL, named: string | undefined): readonly URL[] => {
  if (named !== undefined) return URL.canParse(named) ? [requireSecure(new URL(named))] : [];
  const wellKnown = '/.well-known/oauth-protected-resource';
  return [new URL(wellKnown + url.pathname, url), new URL(wellKnown, url)];
};

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The resource is the endpoint, or a path above it. */
const isResourceMatch = (resource: string, url: URL): boolean => {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return origin === url.origin && `${url.pathname}/`.startsWith(folder);
};

const parseMetadata = (value: unknown, url: URL): ProtectedResource => {
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = toObject(value);
  if (typeof resource !== 'string' || !isTextList(issuers) || issuers.length === 0)
    throw new CommandFailure('failed', `the sign-in metadata of ${url.origin} is not valid`);
  if (!isResourceMatch(resource, url))
    throw new CommandFailure(
      'failed',
      `the sign-in metadata of ${url.href} is for another address: use the URL under which the gateway is published`,
    );
  const supportedScopes = isTextList(scopes) ? scopes : [];
  return { resource, issuers, scopes: supportedScopes, supportedScopes };
};

/** Returns how to sign in to a gateway, or undefined when it does not require a sign-in. */
export const discoverResource = async (url: URL): Promise<ProtectedResource | undefined> => {
  const answer = await signInFetch(requireSecure(url), {
    headers: { accept: 'text/event-stream' },
  });
  if (answer.status !== 401) return undefined;
  const challenge = answer.headers.get('www-authenticate') ?? '';
  for (const place of listResourceMetadataUrls(
    url,
    findParameter(challenge, 'resource_metadata'),
  )) {
    const response = await signInFetch(place, { headers: { accept: 'application/json' } });
    const value: unknown =
      response.status === 200 ? await response.json().catch(() => undefined) : undefined;
    if (value === undefined) continue;
    const metadata = parseMetadata(value, url);
    const scopes = (findParameter(challenge, 'scope') ?? '')
      .split(' ')
      .filter((word) => word !== '');
    return { ...metadata, ...(scopes.length > 0 && { scopes }) };
  }
  throw new CommandFailure('failed', `${url.href} requires a sign-in and does not say where`);
};

/** The places of the metadata of an issuer, in order: RFC 8414 section 3.1, then OpenID Connect Discovery. */
const listIssuerMetadataUrls = (issuer: URL): readonly URL[] => {
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
  for (const url of listIssuerMetadataUrls(issuer)) {
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
