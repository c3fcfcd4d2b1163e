import * as z from 'zod/mini';
import * as oauth from 'oauth4webapi';
import type { ClientCredentialsSecretRef } from '@gateway/crd-schemas';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { type ClientCredentials, conformOAuthAnswer } from '@gateway/service-host';
import type { KeyedLock, StateKey, StateStore } from '@gateway/state-store';
import { LRUCache } from 'lru-cache';
import {
  type AuthorizationServerMetadata,
  isLoopbackHost,
  trimSlashes,
} from '../discovery/metadata.ts';
import type { SecretSource } from '../ports/credentials.ts';
import { toOAuthFailure, createOAuthOptions } from '../storage/oauth-failure.ts';
import { parseJson } from '../storage/state.ts';

const text = z.string().check(z.minLength(1), z.maxLength(4_096));
const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/** The client authentication at the token endpoint. RFC 7591 §2 */
type ClientMethod = (typeof METHODS)[number];

export interface ClientIdentity {
  readonly clientId: string;
  /** Secret. */
  readonly clientSecret?: string;
  readonly method: ClientMethod;
  readonly kind: 'pre-registered' | 'document' | 'registered';
  /** The end of the secret, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

const identity = z.object({
  clientId: text,
  clientSecret: z.exactOptional(text),
  method: z.enum(METHODS),
  kind: z.enum(['pre-registered', 'document', 'registered']),
  expiresAt: z.exactOptional(z.number()),
});

export const parseClientIdentity = (value: unknown): ClientIdentity | undefined =>
  identity.safeParse(value).data;

/** Returns the method for a client with a secret: the first that the server supports. RFC 8414 §2: without a list it is `client_secret_basic`. */
const chooseSecretMethod = (supported: readonly string[] | undefined): ClientMethod =>
  supported === undefined || supported.includes('client_secret_basic')
    ? 'client_secret_basic'
    : 'client_secret_post';

/** Returns the method to register with: no secret where the server allows it. */
const chooseRegistrationMethod = (supported: readonly string[] | undefined): ClientMethod =>
  supported?.includes('none') === true ? 'none' : chooseSecretMethod(supported);

export const CLIENT_DOCUMENT_PATH = '/.well-known/oauth-client';

const CLIENT_NAME = 'MCP gateway';

/** The metadata that the gateway registers with. RFC 7591 §2 */
const createClientMetadata = (redirectUri: string): Readonly<Record<string, unknown>> => ({
  client_name: CLIENT_NAME,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: isLoopbackHost(new URL(redirectUri).hostname) ? 'native' : 'web',
});

/** The client ID metadata document of the gateway, which has no secret. */
export const createClientDocument = (
  clientId: string,
  redirectUri: string,
): Readonly<Record<string, unknown>> => ({
  client_id: clientId,
  ...createClientMetadata(redirectUri),
  token_endpoint_auth_method: 'none',
});

type ClientCredentialsOutcome =
  | { readonly ok: true; readonly credentials: ClientCredentials }
  | { readonly ok: false; readonly reason: string };

/** A client ID is public: everyone who starts a sign-in sees it. A definition must not show a secret as one. */
const SAME: ClientCredentialsOutcome = {
  ok: false,
  reason: 'clientIdKey and clientSecretKey name the same value, and a client ID is not secret',
};

/** Reads both parts of the credentials of a client; they must differ. Never rejects. @spec §2.6 clientCredentialsSecretRef */
export const readClientCredentials = async (
  { name, namespace, clientIdKey, clientSecretKey }: ClientCredentialsSecretRef,
  secrets: SecretSource,
): Promise<ClientCredentialsOutcome> => {
  const id = await secrets.read({ name, namespace, key: clientIdKey });
  if (!id.ok) return id;
  const secret = await secrets.read({ name, namespace, key: clientSecretKey });
  if (!secret.ok) return secret;
  if (id.value === secret.value) return SAME;
  return { ok: true, credentials: { clientId: id.value, clientSecret: secret.value } };
};

export type ClientIdentityOutcome =
  | { readonly ok: true; readonly client: ClientIdentity }
  | { readonly ok: false; readonly reason: string };

const toIdentity = (
  answer: oauth.OmitSymbolProperties<oauth.Client>,
  { token_endpoint_auth_methods_supported: supported }: AuthorizationServerMetadata,
): ClientIdentity | undefined => {
  const secret = typeof answer['client_secret'] === 'string' ? answer['client_secret'] : undefined;
  const ends = answer['client_secret_expires_at'];
  const method = answer['token_endpoint_auth_method'] ?? (secret && chooseSecretMethod(supported));
  return parseClientIdentity({
    clientId: answer.client_id,
    ...(secret !== undefined && secret !== '' && { clientSecret: secret }),
    method: secret === undefined || secret === '' ? 'none' : method,
    kind: 'registered',
    ...(typeof ends === 'number' && ends > 0 && { expiresAt: ends * 1_000 }),
  });
};

/** Registers the gateway at an authorization server. Never rejects. RFC 7591 §3 */
export const registerClient = async (
  metadata: AuthorizationServerMetadata,
  redirectUri: string,
  fetch: GuardedFetch,
): Promise<ClientIdentityOutcome> => {
  const method = chooseRegistrationMethod(metadata.token_endpoint_auth_methods_supported);
  const request = { ...createClientMetadata(redirectUri), token_endpoint_auth_method: method };
  try {
    const response = await oauth.dynamicClientRegistrationRequest(
      metadata,
      request,
      createOAuthOptions(fetch),
    );
    const client = toIdentity(
      await oauth.processDynamicClientRegistrationResponse(
        await conformOAuthAnswer(response, 'registration'),
      ),
      metadata,
    );
    if (client !== undefined) return { ok: true, client };
    return { ok: false, reason: 'the registration was answered with a client that cannot be used' };
  } catch (error) {
    return { ok: false, reason: `the registration failed: ${toOAuthFailure(error).reason}` };
  }
};

/** A client that the operator registered at an authorization server. */
export interface RegisteredClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Reads the secret; absent for a public client. */
  readonly clientSecret?: () => Promise<string | undefined>;
}

export interface IdentificationRequest {
  readonly metadata: AuthorizationServerMetadata;
  readonly redirectUri: string;
  readonly documentUrl: string;
  readonly fetch: GuardedFetch;
  /** The client that the operator registered for the server at the issuer that is pinned for it. */
  readonly pinned?: {
    readonly issuer: string;
    readonly clientCredentialsSecretRef?: ClientCredentialsSecretRef;
  };
}

interface ClientsDependencies {
  readonly store: StateStore;
  readonly lock: KeyedLock;
  readonly clients: readonly RegisteredClient[];
  readonly secrets: SecretSource;
  readonly clock: () => number;
}

const YEAR_MS = 365 * 24 * 60 * 60_000;
const MAX_RECENT_FAILURES = 1_000;
/** A failed registration is remembered briefly, so that many users cause few requests. */
const FAILED_MS = 2_000;

/** The URL of a client ID metadata document has the scheme https. */
const canReadDocument = ({ metadata, documentUrl }: IdentificationRequest): boolean =>
  metadata.client_id_metadata_document_supported === true && documentUrl.startsWith('https:');

/** Returns the client of `clientCredentialsSecretRef`. It belongs to the pinned issuer and is used at no other one. */
const findSecretClient = async (
  { metadata, pinned }: IdentificationRequest,
  secrets: SecretSource,
): Promise<ClientIdentityOutcome | undefined> => {
  const { issuer, token_endpoint_auth_methods_supported: supported } = metadata;
  const ref = pinned?.clientCredentialsSecretRef;
  if (ref === undefined || trimSlashes(pinned?.issuer ?? '') !== trimSlashes(issuer))
    return undefined;
  const read = await readClientCredentials(ref, secrets);
  if (!read.ok)
    return { ok: false, reason: `the client of "${issuer}" cannot be read: ${read.reason}` };
  const method = chooseSecretMethod(supported);
  return { ok: true, client: { ...read.credentials, kind: 'pre-registered', method } };
};

const findIssuerClient = async (
  clients: readonly RegisteredClient[],
  { issuer, token_endpoint_auth_methods_supported: supported }: AuthorizationServerMetadata,
): Promise<ClientIdentityOutcome | undefined> => {
  const client = clients.find((one) => trimSlashes(one.issuer) === trimSlashes(issuer));
  if (client === undefined) return undefined;
  const { clientId } = client;
  const kind = 'pre-registered';
  if (client.clientSecret === undefined)
    return { ok: true, client: { clientId, kind, method: 'none' } };
  const clientSecret = await client.clientSecret();
  if (clientSecret === undefined)
    return { ok: false, reason: `the secret of the client of "${issuer}" cannot be read` };
  return {
    ok: true,
    client: { clientId, clientSecret, kind, method: chooseSecretMethod(supported) },
  };
};

const createDocumentClient = (documentUrl: string): ClientIdentity => ({
  clientId: documentUrl,
  kind: 'document',
  method: 'none',
});

/** Removes a stored client, but not one that replaced it. */
const dropIfSame = async (
  store: StateStore,
  key: StateKey,
  { clientId }: ClientIdentity,
): Promise<void> => {
  const stored = await store.get(key);
  if (stored === undefined) return;
  if (parseClientIdentity(parseJson(stored))?.clientId === clientId)
    await store.deleteIf(key, stored);
};

const createRegistrations = ({ store, lock, clock }: ClientsDependencies) => {
  const failures = new LRUCache<string, ClientIdentityOutcome>({
    max: MAX_RECENT_FAILURES,
    ttl: FAILED_MS,
  });
  const toStateKey = ({ metadata, redirectUri }: IdentificationRequest): StateKey => [
    'client',
    metadata.issuer,
    redirectUri,
  ];
  const read = async (request: IdentificationRequest): Promise<ClientIdentity | undefined> => {
    const client = parseClientIdentity(parseJson(await store.get(toStateKey(request))));
    const isExpired = client?.expiresAt !== undefined && client.expiresAt <= clock();
    return isExpired ? undefined : client;
  };
  const write = async (request: IdentificationRequest): Promise<ClientIdentityOutcome> => {
    const outcome = await registerClient(request.metadata, request.redirectUri, request.fetch);
    if (!outcome.ok) {
      failures.set(JSON.stringify(toStateKey(request)), outcome);
      return outcome;
    }
    await store.set(toStateKey(request), JSON.stringify(outcome.client), { ttlMs: YEAR_MS });
    return outcome;
  };
  return {
    identify: async (request: IdentificationRequest): Promise<ClientIdentityOutcome> => {
      const known = await read(request);
      if (known !== undefined) return { ok: true, client: known };
      return lock(['lock', 'client', request.metadata.issuer], async () => {
        const registered = await read(request);
        if (registered !== undefined) return { ok: true, client: registered };
        return failures.get(JSON.stringify(toStateKey(request))) ?? write(request);
      });
    },
    drop: (request: IdentificationRequest, client: ClientIdentity): Promise<void> =>
      dropIfSame(store, toStateKey(request), client),
  };
};

/** A client that the operator registered, else the client ID metadata document where the server reads it, else one that registers itself, per issuer. */
export const createClients = (dependencies: ClientsDependencies) => {
  const registrations = createRegistrations(dependencies);
  const { clients, secrets } = dependencies;
  const preRegistered = async (
    request: IdentificationRequest,
  ): Promise<ClientIdentityOutcome | undefined> =>
    (await findSecretClient(request, secrets)) ?? findIssuerClient(clients, request.metadata);
  return {
    /** Returns the client to sign in with. Rejects with failures of the store only. */
    identify: async (request: IdentificationRequest): Promise<ClientIdentityOutcome> => {
      const { metadata, documentUrl } = request;
      const own = await preRegistered(request);
      if (own !== undefined) return own;
      if (canReadDocument(request)) return { ok: true, client: createDocumentClient(documentUrl) };
      if (metadata.registration_endpoint !== undefined) return registrations.identify(request);
      const reason = `the authorization server "${metadata.issuer}" does not register clients; register the gateway there and configure its client`;
      return { ok: false, reason };
    },
    /** Returns a client that tokens were issued to, with its current secret; `undefined` when the operator removed it. */
    current: async (
      request: IdentificationRequest,
      client: ClientIdentity,
    ): Promise<ClientIdentity | undefined> => {
      if (client.kind !== 'pre-registered') return client;
      const own = await preRegistered(request);
      return own?.ok === true && own.client.clientId === client.clientId ? own.client : undefined;
    },
    /** Removes a registered client that its issuer does not accept; a client that replaced it stays. */
    drop: registrations.drop,
  };
};

export type Clients = ReturnType<typeof createClients>;
