import { createHash } from 'node:crypto';
import type {
  Principal,
  CredentialChange,
  CredentialOutcome,
  NoCredential,
} from '@gateway/call-contract';
import type { AuthorizationServer, McpServer } from '@gateway/crd-schemas';
import { type KeyedLock, StateStoreError } from '@gateway/state-store';
import { LRUCache } from 'lru-cache';
import type { ClientIdentity } from '../clients/client-identity.ts';
import type { ClientRequest, Clients } from '../clients/identify-client.ts';
import type { Discovery, DiscoveryRequest } from '../discovery/discovery.ts';
import type { AuthorizationServerMetadata, GuardedFetches } from '../discovery/metadata.ts';
import type { BrowserCheck, ServerSignInObserver, SignInLog } from '../ports/sign-in.ts';
import { atMost } from '../storage/state.ts';
import type { Binding, PersonAtServer, TokenVault } from '../tokens/token-records.ts';
import type { TokenEndpoint } from '../tokens/token-requests.ts';
import type { PendingLogins } from './pending-login.ts';

/** The URLs of the gateway that browsers and authorization servers use. */
export interface SignInUrls {
  readonly start: string;
  /** The callback of clients that the operator registered; other clients have one for each issuer, below it. */
  readonly callback: string;
  readonly document: string;
  /** The document is served by the gateway: there is one for each issuer, below it. */
  readonly isOwnDocument: boolean;
}

/** The form of {@link issuerSegment}. */
const SEGMENT = /^[\w-]{22}$/;

/** Returns the last segment of the URLs that one issuer alone has: 132 bits of a digest, so that no issuer can have those of another one. */
const issuerSegment = (issuer: string): string =>
  createHash('sha256').update(issuer).digest('base64url').slice(0, 22);

/** The URLs of the gateway at one issuer. */
export interface IssuerUrls {
  readonly callback: string;
  /** URL of the client ID metadata document. */
  readonly document: string;
}

const urlsAt = (
  { callback, document, isOwnDocument }: SignInUrls,
  segment: string,
): IssuerUrls => ({
  callback: `${callback}/${segment}`,
  document: isOwnDocument ? `${document}/${segment}` : document,
});

/** Returns the URLs for an issuer. A document of the operator is the same for all. */
const issuerUrls = (urls: SignInUrls, issuer: string): IssuerUrls =>
  urlsAt(urls, issuerSegment(issuer));

/** Returns the URLs whose last segment a request names; `undefined` when no issuer can have it. */
export const requestedUrls = (urls: SignInUrls, segment: string): IssuerUrls | undefined =>
  SEGMENT.test(segment) && urls.isOwnDocument ? urlsAt(urls, segment) : undefined;

/**
 * Returns the redirect URI of a sign-in. An issuer has one of its own, which a code of another issuer does not arrive at (mix-up, RFC 9700 §4.4.2.2),
 * unless the operator wrote the redirect URI: into the registration of a client or into a document.
 */
export const redirectUriOf = (urls: SignInUrls, issuer: string, client: ClientIdentity): string => {
  const isOfOperator =
    client.kind === 'pre-registered' || (client.kind === 'document' && !urls.isOwnDocument);
  return isOfOperator ? urls.callback : issuerUrls(urls, issuer).callback;
};

/** One person and one remote server, as its definition is now. */
export interface Person {
  readonly principalKey: string;
  /** Name of the server. */
  readonly server: string;
  readonly url: string;
  readonly pinned?: AuthorizationServer;
}

/** Returns the person and the server; `undefined` for a server that is not remote. */
export const personAt = (
  { metadata, spec }: McpServer,
  { key }: Pick<Principal, 'key'>,
): Person | undefined => {
  if (spec.type === 'stdio') return undefined;
  const pinned = spec.auth.authorizationServer;
  return {
    principalKey: key,
    server: metadata.name,
    url: spec.url,
    ...(pinned !== undefined && { pinned }),
  };
};

/** Returns the discovery of a server. */
export const discoveryOf = ({ url, pinned }: Person): DiscoveryRequest => ({
  serverUrl: url,
  ...(pinned !== undefined && { pinned }),
});

/** Returns the URLs that the operator wrote for a server. */
export const operatorUrls = ({ url, pinned }: Person): readonly string[] =>
  pinned === undefined ? [url] : [url, pinned.issuer];

/** The person has not signed in. */
export const signInRequired = (server: string): NoCredential => ({
  ok: false,
  code: 'sign-in-required',
  reason: `Sign-in to server "${server}" is required.`,
});

/** The sign-in of the person has ended. */
export const signInAgain = (reason: string): NoCredential => ({
  ok: false,
  code: 'sign-in-again',
  reason,
});

/** A later request may succeed. */
export const unavailable = (reason: string): NoCredential => ({
  ok: false,
  code: 'unavailable',
  reason,
});

/** Returns one sentence for a failure of the store. Other errors are bugs and are thrown again. */
export const storeFailure = (error: unknown): string => {
  if (error instanceof StateStoreError) return error.message;
  throw error;
};

/** The sentences of sign-ins that ended. */
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

const trimmed = (issuer: string): string => issuer.replace(/\/+$/, '');

/** The stored sign-in of a person, compared with the definition of the server. */
type UsableBinding =
  | { readonly kind: 'usable'; readonly binding: Binding }
  /** No sign-in, or one to another URL: its tokens are not sent to the server. */
  | { readonly kind: 'none' }
  /** The operator pinned another issuer. */
  | { readonly kind: 'moved'; readonly binding: Binding; readonly to: string };

/** Compares a stored sign-in with the definition of the server. */
export const usableBinding = (
  binding: Binding | undefined,
  { url, pinned }: Pick<Person, 'url' | 'pinned'>,
): UsableBinding => {
  if (binding?.serverUrl !== url) return { kind: 'none' };
  if (pinned !== undefined && trimmed(pinned.issuer) !== trimmed(binding.issuer))
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
const cacheKey = (server: string, principalKey: string): string => `${server}\n${principalKey}`;

/** At most 50,000 credentials in memory; the least recently used one is evicted. */
export class CredentialCache {
  readonly #cache = new LRUCache<string, CachedCredential>(atMost(MAX_CREDENTIALS));

  get(server: string, principalKey: string): CachedCredential | undefined {
    return this.#cache.get(cacheKey(server, principalKey));
  }

  set(
    { server, principalKey, url, pinned }: Person,
    cached: Omit<CachedCredential, 'url' | 'pinnedIssuer'>,
  ): void {
    const entry = { ...cached, url, pinnedIssuer: pinned?.issuer };
    this.#cache.set(cacheKey(server, principalKey), entry);
  }

  delete({ server, principalKey }: PersonAtServer): void {
    this.#cache.delete(cacheKey(server, principalKey));
  }
}

/** The dependencies of sign-in. */
export interface SignInContext {
  readonly vault: TokenVault;
  readonly cache: CredentialCache;
  readonly lock: KeyedLock;
  readonly logins: PendingLogins;
  readonly clients: Clients;
  readonly discovery: Discovery;
  readonly fetches: GuardedFetches;
  /** The servers that exist now. */
  readonly servers: () => readonly McpServer[];
  /** URLs that a sign-in may end at. */
  readonly redirects: readonly string[];
  readonly browserPerson: BrowserCheck | undefined;
  readonly clock: () => number;
  readonly log: SignInLog;
  readonly observe: ServerSignInObserver;
  /** Returns the URLs; `undefined` when the gateway has no URL for browsers. */
  readonly urls: () => Promise<SignInUrls | undefined>;
  /** Reports a change to every process. */
  readonly announce: (change: CredentialChange) => Promise<void>;
}

/** Returns the request for the client of the gateway at the issuer of a server. */
export const clientRequest = (
  { fetches }: SignInContext,
  urls: SignInUrls,
  metadata: AuthorizationServerMetadata,
  person: Person,
): ClientRequest => ({
  metadata,
  redirectUri: issuerUrls(urls, metadata.issuer).callback,
  documentUrl: issuerUrls(urls, metadata.issuer).document,
  fetch: fetches.of(operatorUrls(person)),
  ...(person.pinned !== undefined && { pinned: person.pinned }),
});

/** The token endpoint of an issuer with the client that tokens were issued to, or the reason why there is none. */
export type FoundEndpoint =
  | {
      readonly kind: 'endpoint';
      readonly endpoint: TokenEndpoint;
      /** Removes the client, which the issuer does not accept. */
      readonly dropClient: () => Promise<void>;
    }
  | { readonly kind: 'no-client' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Finds the token endpoint of an issuer that a person signed in at. Rejects with failures of the store. */
export const findEndpoint = async (
  context: SignInContext,
  person: Person,
  { issuer, client: known }: { readonly issuer: string; readonly client: ClientIdentity },
): Promise<FoundEndpoint> => {
  const { clients, clock } = context;
  const urls = await context.urls();
  const found = await context.discovery.authorizationServer(issuer, operatorUrls(person));
  if (!found.ok) return { kind: 'unavailable', reason: found.reason };
  if (urls === undefined) return { kind: 'unavailable', reason: 'The gateway has no public URL.' };
  const { metadata } = found;
  const request = clientRequest(context, urls, metadata, person);
  const client = await clients.current(request, known);
  if (client === undefined) return { kind: 'no-client' };
  return {
    kind: 'endpoint',
    endpoint: { metadata, client, fetch: request.fetch, clock },
    dropClient: () => clients.drop(request, client),
  };
};
