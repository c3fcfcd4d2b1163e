import type {
  CredentialChange,
  CredentialOutcome,
  NoCredential,
  Principal,
} from '@gateway/call-contract';
import type { AuthorizationServer, McpServer } from '@gateway/crd-schemas';
import { type KeyedLock, StateStoreError } from '@gateway/state-store';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { ClientIdentity, IdentificationRequest, Clients } from '../clients/identify-client.ts';
import type { Discovery, DiscoveryRequest } from '../discovery/discovery.ts';
import {
  type AuthorizationServerMetadata,
  type GuardedFetches,
  trimSlashes,
} from '../discovery/metadata.ts';
import type { SignInCheck, ServerSignInObserver, SignInLog } from '../ports/sign-in.ts';
import { createCacheLimit } from '../storage/state.ts';
import type { Binding, TokenVault, SignInKey } from '../tokens/token-records.ts';
import type { TokenEndpoint } from '../tokens/token-requests.ts';
import type { PendingLogins } from './pending-login.ts';

export interface SignInUrls {
  readonly start: string;
  /** The callback of clients that the operator registered; other clients have one for each issuer, below it. */
  readonly callback: string;
  readonly document: string;
  /** The document is served by the gateway: there is one for each issuer, below it. */
  readonly isOwnDocument: boolean;
}

const SEGMENT = /^[\w-]{22}$/;

/** Returns the last segment of the URLs that one issuer alone has: 132 bits of a digest, so that no issuer can have those of another one. */
const computeIssuerSegment = (issuer: string): string =>
  createHash('sha256').update(issuer).digest('base64url').slice(0, 22);

export interface IssuerUrls {
  readonly callback: string;
  readonly document: string;
}

const createSegmentUrls = (
  { callback, document, isOwnDocument }: SignInUrls,
  segment: string,
): IssuerUrls => ({
  callback: `${callback}/${segment}`,
  document: isOwnDocument ? `${document}/${segment}` : document,
});

const createIssuerUrls = (urls: SignInUrls, issuer: string): IssuerUrls =>
  createSegmentUrls(urls, computeIssuerSegment(issuer));

/** Returns the URLs whose last segment a request names; `undefined` when no issuer can have it. */
export const findSegmentUrls = (urls: SignInUrls, segment: string): IssuerUrls | undefined =>
  SEGMENT.test(segment) && urls.isOwnDocument ? createSegmentUrls(urls, segment) : undefined;

/** A code of another issuer does not arrive at the redirect URI of an issuer (mix-up, RFC 9700 §4.4.2.2), unless the operator wrote the redirect URI. */
export const chooseRedirectUri = (
  urls: SignInUrls,
  issuer: string,
  client: ClientIdentity,
): string => {
  const isOfOperator =
    client.kind === 'pre-registered' || (client.kind === 'document' && !urls.isOwnDocument);
  return isOfOperator ? urls.callback : createIssuerUrls(urls, issuer).callback;
};

/** One user and one remote server, as its definition is now. */
export interface ServerUser {
  readonly principalKey: string;
  readonly server: string;
  readonly url: string;
  readonly pinned?: AuthorizationServer;
}

export const findServerUser = (
  { metadata, spec }: McpServer,
  { key }: Pick<Principal, 'key'>,
): ServerUser | undefined => {
  if (spec.type === 'stdio') return undefined;
  const pinned = spec.auth.authorizationServer;
  return {
    principalKey: key,
    server: metadata.name,
    url: spec.url,
    ...(pinned !== undefined && { pinned }),
  };
};

export const toDiscoveryRequest = ({ url, pinned }: ServerUser): DiscoveryRequest => ({
  serverUrl: url,
  ...(pinned !== undefined && { pinned }),
});

/** Returns the URLs that the operator wrote for a server. */
export const listOperatorUrls = ({ url, pinned }: ServerUser): readonly string[] =>
  pinned === undefined ? [url] : [url, pinned.issuer];

export const signInRequired = (server: string): NoCredential => ({
  ok: false,
  code: 'sign-in-required',
  reason: `Sign-in to server "${server}" is required.`,
});

export const signInAgain = (reason: string): NoCredential => ({
  ok: false,
  code: 'sign-in-again',
  reason,
});

export const toUnavailableRefusal = (reason: string): NoCredential => ({
  ok: false,
  code: 'unavailable',
  reason,
});

/** Returns one sentence for a failure of the store. Other errors are bugs and are thrown again. */
export const storeFailure = (error: unknown): string => {
  if (error instanceof StateStoreError) return error.message;
  throw error;
};

export const ENDED = {
  expired: (server: string) => `The sign-in to server "${server}" has expired. Sign in again.`,
  refused: (server: string) =>
    `Server "${server}" does not accept the token of this sign-in. Sign in again.`,
  issuer: (server: string, error: string) =>
    `The sign-in to server "${server}" has ended: its authorization server answered ${error}. Sign in again.`,
  client: (server: string) =>
    `The client of the gateway for server "${server}" is not configured any more. Sign in again.`,
  moved: (server: string, urls: { readonly from: string; readonly to: string }) =>
    `Server "${server}" now uses the authorization server "${urls.to}"; the credentials of "${urls.from}" are not used there. Sign in again.`,
  scopes: (server: string, scopes: string) =>
    `Server "${server}" requires the scopes "${scopes}". Sign in again to grant them.`,
  scopesRefused: (server: string, scopes: string) =>
    `Server "${server}" still requires the scopes "${scopes}" after they were requested; the sign-in does not grant them.`,
} as const;

type UsableBinding =
  | { readonly kind: 'usable'; readonly binding: Binding }
  /** No sign-in, or one to another URL: its tokens are not sent to the server. */
  | { readonly kind: 'none' }
  /** The operator pinned another issuer. */
  | { readonly kind: 'moved'; readonly binding: Binding; readonly to: string };

/** Compares a stored sign-in with the definition of the server. */
export const resolveBinding = (
  binding: Binding | undefined,
  { url, pinned }: Pick<ServerUser, 'url' | 'pinned'>,
): UsableBinding => {
  if (binding?.serverUrl !== url) return { kind: 'none' };
  if (pinned !== undefined && trimSlashes(pinned.issuer) !== trimSlashes(binding.issuer))
    return { kind: 'moved', binding, to: pinned.issuer };
  return { kind: 'usable', binding };
};

/** A credential in memory. Times are milliseconds since the epoch. */
export interface CachedCredential {
  readonly outcome: CredentialOutcome;
  readonly url: string;
  readonly pinnedIssuer: string | undefined;
  /** Until then it is used without a check. */
  readonly freshUntil: number;
  /** Until then it is used while a check runs. */
  readonly validUntil: number;
}

const MAX_CREDENTIALS = 50_000;

/** Names of servers contain no line break, so a key has one meaning. */
const createCacheKey = (server: string, principalKey: string): string =>
  `${server}\n${principalKey}`;

/** At most 50,000 credentials in memory; the least recently used one is evicted. */
export class CredentialCache {
  readonly #cache = new LRUCache<string, CachedCredential>(createCacheLimit(MAX_CREDENTIALS));

  get(server: string, principalKey: string): CachedCredential | undefined {
    return this.#cache.get(createCacheKey(server, principalKey));
  }

  set(
    { server, principalKey, url, pinned }: ServerUser,
    cached: Omit<CachedCredential, 'url' | 'pinnedIssuer'>,
  ): void {
    const entry = { ...cached, url, pinnedIssuer: pinned?.issuer };
    this.#cache.set(createCacheKey(server, principalKey), entry);
  }

  delete({ server, principalKey }: SignInKey): void {
    this.#cache.delete(createCacheKey(server, principalKey));
  }
}

export interface SignInContext {
  readonly vault: TokenVault;
  readonly cache: CredentialCache;
  readonly lock: KeyedLock;
  readonly logins: PendingLogins;
  readonly clients: Clients;
  readonly discovery: Discovery;
  readonly fetches: GuardedFetches;
  readonly servers: () => readonly McpServer[];
  readonly redirects: readonly string[];
  readonly browserUser: SignInCheck | undefined;
  readonly clock: () => number;
  readonly log: SignInLog;
  readonly observe: ServerSignInObserver;
  readonly urls: () => Promise<SignInUrls | undefined>;
  readonly announce: (change: CredentialChange) => Promise<void>;
}

export const createIdentificationRequest = (
  { fetches }: SignInContext,
  urls: SignInUrls,
  metadata: AuthorizationServerMetadata,
  user: ServerUser,
): IdentificationRequest => ({
  metadata,
  redirectUri: createIssuerUrls(urls, metadata.issuer).callback,
  documentUrl: createIssuerUrls(urls, metadata.issuer).document,
  fetch: fetches.create(listOperatorUrls(user)),
  ...(user.pinned !== undefined && { pinned: user.pinned }),
});

export type FoundEndpoint =
  | {
      readonly kind: 'endpoint';
      readonly endpoint: TokenEndpoint;
      /** Removes the client, which the issuer does not accept. */
      readonly dropClient: () => Promise<void>;
    }
  | { readonly kind: 'no-client' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Finds the token endpoint of an issuer that a user signed in at. Rejects with failures of the store. */
export const findEndpoint = async (
  context: SignInContext,
  user: ServerUser,
  { issuer, client: known }: { readonly issuer: string; readonly client: ClientIdentity },
): Promise<FoundEndpoint> => {
  const { clients, clock } = context;
  const urls = await context.urls();
  const found = await context.discovery.authorizationServer(issuer, listOperatorUrls(user));
  if (!found.ok) return { kind: 'unavailable', reason: found.reason };
  if (urls === undefined) return { kind: 'unavailable', reason: 'The gateway has no public URL.' };
  const { metadata } = found;
  const request = createIdentificationRequest(context, urls, metadata, user);
  const client = await clients.current(request, known);
  if (client === undefined) return { kind: 'no-client' };
  return {
    kind: 'endpoint',
    endpoint: { metadata, client, fetch: request.fetch, clock },
    dropClient: () => clients.drop(request, client),
  };
};
