import { EVENT_STREAM_TYPE, MESSAGE_TYPES } from '@gateway/mcp-wire';
import type { AuthorizationServer } from '@gateway/crd-schemas';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { LRUCache } from 'lru-cache';
import { type BearerChallenge, parseBearerChallenge } from '../challenge/bearer-challenge.ts';
import {
  type AuthorizationServerMetadata,
  listIssuerMetadataUrls,
  fetchDocument,
  type GuardedFetches,
  parseAuthorizationServer,
  type ParsedMetadata,
  parseProtectedResource,
  type ProtectedResourceMetadata,
  listResourceMetadataUrls,
  trimSlashes,
} from './metadata.ts';

export interface SignInTarget {
  readonly issuer: string;
  /** RFC 8707 resource indicator. */
  readonly resource: string;
  /** Scopes to request, separated by spaces; absent when neither the operator nor the server names any. */
  readonly scope?: string;
  readonly metadata: AuthorizationServerMetadata;
}

/** The result of a discovery. `reason` is one sentence without secrets. */
export type DiscoveryOutcome =
  | { readonly ok: true; readonly target: SignInTarget }
  /** The server names no authorization server. `problem` is what its metadata has instead. */
  | { readonly ok: false; readonly code: 'metadata-missing'; readonly problem?: string }
  | { readonly ok: false; readonly code: 'failed'; readonly reason: string };

/** Returns whether a resource identifier covers a server: the same origin, and a path that ends at a segment of the server's path. RFC 9728 §3.3 */
export const isResourceMatch = (resource: string, server: URL): boolean => {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search } = new URL(resource);
  if (origin !== server.origin) return false;
  if (search !== '' && search !== server.search) return false;
  const base = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return `${server.pathname}/`.startsWith(base) || server.pathname === pathname;
};

/** A request that every server answers with 401 before it reads more than the headers. */
const PING = {
  method: 'POST',
  headers: { accept: MESSAGE_TYPES, 'content-type': 'application/json' },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
};
const GET = { headers: { accept: EVENT_STREAM_TYPE } };

/** Requests a server without credentials, with GET and else with POST, and returns its `Bearer` challenge. Never rejects. */
const requestChallenge = async (
  fetch: GuardedFetch,
  server: string,
): Promise<BearerChallenge | undefined> => {
  for (const init of [GET, PING]) {
    const response = await fetch(server, init).catch(() => undefined);
    const challenge =
      response?.status === 401
        ? parseBearerChallenge(response.headers.get('www-authenticate'))
        : undefined;
    if (challenge !== undefined) return challenge;
  }
  return undefined;
};

/** The metadata of a protected resource; `none` when the server has none, with what its URLs answer instead. */
type ProtectedResourceOutcome =
  | { readonly kind: 'metadata'; readonly metadata: ProtectedResourceMetadata }
  | { readonly kind: 'none'; readonly problem?: string }
  | { readonly kind: 'failed'; readonly reason: string };

const listMetadataUrls = (
  server: URL,
  challenge: BearerChallenge | undefined,
): ReadonlySet<string> => {
  const named = challenge?.resourceMetadata;
  return new Set([...(named === undefined ? [] : [named]), ...listResourceMetadataUrls(server)]);
};

const toResourceOutcome = (
  server: URL,
  metadata: ProtectedResourceMetadata,
): ProtectedResourceOutcome => {
  if (isResourceMatch(metadata.resource, server)) return { kind: 'metadata', metadata };
  const reason = `The metadata of the server describes another resource: "${metadata.resource}".`;
  return { kind: 'failed', reason };
};

const attemptResource = async (
  fetch: GuardedFetch,
  url: string,
): Promise<ParsedMetadata<ProtectedResourceMetadata> & { readonly isRefused?: boolean }> => {
  const document = await fetchDocument(fetch, url);
  if (document.ok) return parseProtectedResource(document.value);
  return { ok: false, problem: document.reason, isRefused: document.isRefused };
};

/** Requests metadata at the URL of the challenge, in the path form and in the root form; that of another resource is refused. Never rejects. RFC 9728 §3.3, §5 */
const requestProtectedResource = async (
  fetch: GuardedFetch,
  server: URL,
  challenge: BearerChallenge | undefined,
): Promise<ProtectedResourceOutcome> => {
  let refused: string | undefined;
  let problem: string | undefined;
  for (const url of listMetadataUrls(server, challenge)) {
    const found = await attemptResource(fetch, url);
    if (found.ok) return toResourceOutcome(server, found.metadata);
    if (found.isRefused) refused ??= found.problem;
    else if (found.problem !== 'HTTP 404') problem ??= `${found.problem} (${url.split('?')[0]})`;
  }
  if (refused === undefined) return { kind: 'none', ...(problem !== undefined && { problem }) };
  return { kind: 'failed', reason: `The metadata of the server cannot be read: ${refused}.` };
};

/** The metadata of an authorization server, or one sentence why it cannot be used. */
type AuthorizationServerOutcome =
  | { readonly ok: true; readonly metadata: AuthorizationServerMetadata }
  | { readonly ok: false; readonly reason: string };

interface AuthorizationServerRequest {
  readonly issuer: string;
  /** The operator wrote the issuer. A slash at its end does not count then. */
  readonly isPinned: boolean;
  readonly fetch: GuardedFetch;
}

const NOT_FOUND = /^HTTP 4(?:04|05|10)/;

const formatMismatch = (issuer: string, reported: string, isPinned: boolean): string => {
  if (isPinned)
    return `authorizationServer override: issuer mismatch — spec.auth.authorizationServer.issuer="${issuer}" but AS metadata reports issuer="${reported}"`;
  return trimSlashes(issuer) === trimSlashes(reported)
    ? `The server names the authorization server "${issuer}", whose metadata reports the issuer "${reported}": the slash at the end differs. Set spec.auth.authorizationServer.issuer to "${reported}", or correct authorization_servers in the metadata of the server.`
    : `The authorization server "${issuer}" reports another issuer in its metadata: "${reported}".`;
};

/** A browser opens a page without TLS only at the host of an issuer that has none, which is on this machine. RFC 6749 §3.1 */
const mayOpen = (endpoint: string, issuer: string): boolean => {
  const { protocol, hostname } = new URL(endpoint);
  const { protocol: issuerProtocol, hostname: issuerHost } = new URL(issuer);
  return protocol === 'https:' || (issuerProtocol === 'http:' && hostname === issuerHost);
};

const findProblem = (metadata: AuthorizationServerMetadata): string | undefined => {
  const { issuer } = metadata;
  if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
    return `The authorization server "${issuer}" has no authorization endpoint or no token endpoint.`;
  if (metadata.code_challenge_methods_supported === undefined)
    return `The authorization server "${issuer}" does not state code_challenge_methods_supported in its metadata; PKCE with S256 is required.`;
  if (!mayOpen(metadata.authorization_endpoint, issuer))
    return `The authorization server "${issuer}" has an authorization endpoint without https.`;
  return metadata.code_challenge_methods_supported.includes('S256')
    ? undefined
    : `The authorization server "${issuer}" does not support PKCE with S256, which is required.`;
};

type Attempt =
  | { readonly ok: true; readonly metadata: AuthorizationServerMetadata }
  | { readonly ok: false; readonly failure: string; readonly isAway: boolean };

const attemptServer = async (fetch: GuardedFetch, url: string): Promise<Attempt> => {
  const document = await fetchDocument(fetch, url);
  if (!document.ok) return { ok: false, failure: document.reason, isAway: document.isAway };
  const parsed = parseAuthorizationServer(document.value);
  return parsed.ok ? parsed : { ok: false, failure: parsed.problem, isAway: false };
};

const toServerOutcome = (metadata: AuthorizationServerMetadata): AuthorizationServerOutcome => {
  const reason = findProblem(metadata);
  return reason === undefined ? { ok: true, metadata } : { ok: false, reason };
};

const isSame = ({ issuer, isPinned }: AuthorizationServerRequest, reported: string): boolean =>
  isPinned ? trimSlashes(reported) === trimSlashes(issuer) : reported === issuer;

/** Requests metadata at the well-known URLs, in order, and returns the first that names the issuer. Never rejects. RFC 8414 §3.3 */
const requestAuthorizationServer = async (
  request: AuthorizationServerRequest,
): Promise<AuthorizationServerOutcome> => {
  const { issuer, isPinned, fetch } = request;
  if (!URL.canParse(issuer))
    return { ok: false, reason: 'The server names an authorization server that is not a URL.' };
  let mismatch: string | undefined;
  let failure: string | undefined;
  for (const url of listIssuerMetadataUrls(new URL(issuer))) {
    const found = await attemptServer(fetch, url);
    if (found.ok) {
      if (isSame(request, found.metadata.issuer)) return toServerOutcome(found.metadata);
      mismatch ??= found.metadata.issuer;
    } else if (found.isAway) {
      failure = found.failure;
      break;
    } else if (failure === undefined || !NOT_FOUND.test(found.failure)) {
      // An answer says more than that a form of the URL does not exist.
      failure = `${found.failure} (${url})`;
    }
  }
  const reason =
    mismatch === undefined
      ? `The metadata of the authorization server "${issuer}" cannot be read: ${failure ?? ''}.`
      : formatMismatch(issuer, mismatch, isPinned);
  return { ok: false, reason };
};

export interface DiscoveryRequest {
  readonly serverUrl: string;
  /** The authorization server that the operator wrote. @spec §2.6 authorizationServer */
  readonly pinned?: AuthorizationServer;
}

interface Named {
  readonly issuer: string;
  readonly resource: string;
  readonly scope?: string;
}

type NamedOutcome =
  { readonly ok: true; readonly named: Named } | Extract<DiscoveryOutcome, { ok: false }>;

/** Returns a resource identifier of a URL: without a fragment, and without a slash as the only path. RFC 8707 §2 */
const toResource = (url: URL): string => {
  const { origin, pathname, search } = url;
  return `${origin}${pathname === '/' ? '' : pathname}${search}`;
};

const isHttpUrl = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text);

const NO_ISSUER = 'its member "authorization_servers" is missing or empty';

/** Returns the scopes of the challenge, else those of the metadata. */
const toScope = (challenge: BearerChallenge | undefined, supported?: readonly string[]) => {
  const scope = challenge?.scope ?? supported?.join(' ');
  return scope === undefined || scope === '' ? {} : { scope };
};

const requestIssuer = async (server: URL, fetches: GuardedFetches): Promise<NamedOutcome> => {
  const challenge = await requestChallenge(
    fetches.createForServer(server.href, { headersOnly: true }),
    server.href,
  );
  const outcome = await requestProtectedResource(
    fetches.createForServer(server.href),
    server,
    challenge,
  );
  if (outcome.kind === 'failed') return { ok: false, code: 'failed', reason: outcome.reason };
  if (outcome.kind === 'metadata') {
    const { resource, authorization_servers: issuers, scopes_supported } = outcome.metadata;
    const issuer = issuers?.[0];
    const scope = toScope(challenge, scopes_supported);
    if (issuer !== undefined) return { ok: true, named: { issuer, resource, ...scope } };
  }
  const realm = challenge?.realm;
  if (!isHttpUrl(realm)) {
    const problem = outcome.kind === 'metadata' ? NO_ISSUER : outcome.problem;
    return { ok: false, code: 'metadata-missing', ...(problem !== undefined && { problem }) };
  }
  return {
    ok: true,
    named: { issuer: realm, resource: toResource(server), ...toScope(challenge) },
  };
};

/** Finds the pinned authorization server, else that of the metadata, else that of the challenge's realm. Never rejects. @spec §2.6 authorizationServer */
const discoverTarget = async (
  { serverUrl, pinned }: DiscoveryRequest,
  fetches: GuardedFetches,
): Promise<DiscoveryOutcome> => {
  const server = new URL(serverUrl);
  const outcome: NamedOutcome =
    pinned === undefined
      ? await requestIssuer(server, fetches)
      : {
          ok: true,
          named: {
            issuer: pinned.issuer,
            resource: toResource(server),
            ...(pinned.scopes !== undefined && { scope: pinned.scopes }),
          },
        };
  if (!outcome.ok) return outcome;
  const { named } = outcome;
  const isPinned = pinned !== undefined;
  const fetch = fetches.create([server.href, ...(isPinned ? [pinned.issuer] : [])]);
  const found = await requestAuthorizationServer({ issuer: named.issuer, isPinned, fetch });
  if (!found.ok) return { ok: false, code: 'failed', reason: found.reason };
  const { metadata } = found;
  return { ok: true, target: { ...named, issuer: metadata.issuer, metadata } };
};

const MAX_ENTRIES = 1_000;
const FOUND_MS = 10 * 60_000;
/** A failure is remembered briefly, so that many users cause few requests. */
const FAILED_MS = 2_000;
/** Pause between two removals of a result, so that many refused requests cause few discoveries. */
const FORGET_PAUSE_MS = 5_000;

const formatKey = ({ serverUrl, pinned }: DiscoveryRequest): string =>
  JSON.stringify([serverUrl, pinned?.issuer, pinned?.scopes]);

/** Results by key. Concurrent requests of one key are one; a failure is remembered for a short time. */
class RequestCache<T extends { readonly ok: boolean }> {
  readonly #results = new LRUCache<string, Promise<T>>({ max: MAX_ENTRIES, ttl: FOUND_MS });

  get(key: string, request: () => Promise<T>): Promise<T> {
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const running = request();
    this.#results.set(key, running);
    void running.then(({ ok }) => {
      if (!ok && this.#results.peek(key) === running)
        this.#results.set(key, running, { ttl: FAILED_MS });
    });
    return running;
  }

  delete(key: string): void {
    this.#results.delete(key);
  }
}

/** Cached discoveries: 1,000 servers and 1,000 issuers for 10 minutes. No method rejects. */
export class Discovery {
  readonly #fetches: GuardedFetches;
  readonly #targets = new RequestCache<DiscoveryOutcome>();
  readonly #issuers = new RequestCache<AuthorizationServerOutcome>();
  readonly #forgotten = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: FORGET_PAUSE_MS });

  constructor(fetches: GuardedFetches) {
    this.#fetches = fetches;
  }

  discover(request: DiscoveryRequest): Promise<DiscoveryOutcome> {
    return this.#targets.get(formatKey(request), () => discoverTarget(request, this.#fetches));
  }

  authorizationServer(
    issuer: string,
    operatorUrls: readonly string[],
  ): Promise<AuthorizationServerOutcome> {
    return this.#issuers.get(JSON.stringify([issuer, ...operatorUrls]), () => {
      const fetch = this.#fetches.create(operatorUrls);
      return requestAuthorizationServer({ issuer, isPinned: false, fetch });
    });
  }

  /** Removes a result, at most once in 5 s, so that the next discovery sends requests. */
  forget(request: DiscoveryRequest): void {
    const key = formatKey(request);
    if (this.#forgotten.has(key)) return;
    this.#forgotten.set(key, true);
    this.#targets.delete(key);
  }
}
