import {
  type Adapter,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  type FindAccount,
  type ResourceServer,
} from 'oidc-provider';
import type { TestUser } from '../sign-in.ts';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { randomBytes } from 'node:crypto';

export interface ProviderUser extends TestUser {
  /** The claim `sub`; the name by default. */
  readonly subject?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

export interface ProviderOptions {
  readonly port?: number;
  /** Serves https with a certificate that this process trusts. */
  readonly tls?: boolean;
  readonly path?: string;
  /** The users. By default every name is accepted with the password `password`, and is a member of the group `staff`. */
  readonly users?: readonly ProviderUser[];
  readonly clients?: readonly ClientMetadata[];
  /** Binds access tokens to resources (RFC 8707). By default true; otherwise tokens are opaque and for every resource. */
  readonly resourceIndicators?: boolean;
  /** Scopes besides `openid profile email groups offline_access`; by default `mcp mcp:read mcp:admin`. */
  readonly scopes?: readonly string[];
  /** Client IDs for which the scope `audience:server:client_id:<id>` adds an audience to ID tokens, as Dex does. */
  readonly audiences?: readonly string[];
  /** By default 300. It can be changed later: `settings`. */
  readonly accessTokenSeconds?: number;
  /** By default 300. It can be changed later: `settings`. */
  readonly idTokenSeconds?: number;
  /** When a client gets a refresh token. By default always. */
  readonly refreshTokens?: 'always' | 'offline_access' | 'never';
  /** Answers to refreshes contain ID tokens (OpenID Connect Core §12.2 leaves it to the provider). By default true. */
  readonly refreshedIdTokens?: boolean;
  /** Refresh tokens are for one use, and a second use revokes the family. By default true. */
  readonly rotates?: boolean;
  readonly registration?: boolean;
  /** The origins of client ID metadata documents, which must be `https`, and their addresses in the test. */
  readonly documentHosts?: Readonly<Record<string, string>>;
  /** Where the metadata is: RFC 8414, OpenID Connect Discovery, or both (the default). */
  readonly metadata?: 'oauth' | 'openid' | 'both';
  /** Fields that replace those of the metadata; `undefined` removes one. */
  readonly metadataFields?: Readonly<Record<string, unknown>>;
  /** Fields that replace claims of ID tokens, for hostile providers. */
  readonly idTokenClaims?: Readonly<Record<string, unknown>>;
  /** Issuers whose ID tokens the token exchange accepts besides its own. */
  readonly trustedIssuers?: readonly string[];
  /** Sends the parameter `iss` with authorization responses (RFC 9207). By default true. */
  readonly sendsIssuer?: boolean;
}

export interface ProviderSettings {
  accessTokenSeconds: number;
  idTokenSeconds: number;
}

export interface SigningKey {
  readonly jwk: JWK;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
}

/** Creates an RSA key. @param kid its name in the key set */
export const createSigningKey = async (kid: string): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const facts = { kid, alg: 'RS256', use: 'sig' };
  return {
    jwk: { ...(await exportJWK(privateKey)), ...facts },
    publicJwk: { ...(await exportJWK(publicKey)), ...facts },
    privateKey,
  };
};

/** Signs the claims of a token again, some of them replaced. */
export const signAgain = (
  token: string,
  claims: Readonly<Record<string, unknown>>,
  { privateKey }: SigningKey,
): Promise<string> => {
  const { alg = 'RS256', ...header } = decodeProtectedHeader(token);
  return new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ ...header, alg })
    .sign(privateKey);
};

export const readIssuerKeys = async (
  issuer: string,
): Promise<ReturnType<typeof createRemoteJWKSet>> => {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { jwks_uri: address } = (await response.json()) as { jwks_uri: string };
  return createRemoteJWKSet(new URL(address), { cooldownDuration: 0 });
};

/** Verifies a token of one of the issuers. @returns its subject. @throws {Error} when it is not valid */
export const verifySubject = async (
  token: string,
  own: { readonly issuer: string; readonly keys: readonly SigningKey[] },
  trusted: readonly string[],
): Promise<string> => {
  const { iss: issuer = '' } = decodeJwt(token);
  if (issuer !== own.issuer && !trusted.includes(issuer))
    throw new Error(`unknown issuer ${issuer}`);
  const keys =
    issuer === own.issuer
      ? createLocalJWKSet({ keys: own.keys.map(({ publicJwk }) => publicJwk) })
      : await readIssuerKeys(issuer);
  const { payload } = await jwtVerify(token, keys, { issuer });
  if (payload.sub === undefined) throw new Error('the token has no subject');
  return payload.sub;
};

interface Entry {
  readonly model: string;
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

const toKey = (model: string, id: string): string => `${model}:${id}`;

export class ProviderStore {
  readonly #entries = new Map<string, Entry>();

  /** Returns the adapter of one kind of object. */
  adapter(model: string): Adapter {
    const find = (accepts: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      this.#live(model).find(accepts);
    return {
      upsert: (id, payload, expiresIn) => this.#set(model, id, payload, expiresIn),
      find: (id) => Promise.resolve(this.#get(model, id)),
      findByUid: (uid) => Promise.resolve(find((payload) => payload.uid === uid)),
      findByUserCode: (code) => Promise.resolve(find(({ userCode }) => userCode === code)),
      consume: (id) => this.#consume(model, id),
      destroy: (id) => {
        this.#entries.delete(toKey(model, id));
        return Promise.resolve();
      },
      revokeByGrantId: (grantId) => {
        this.remove((payload) => payload.grantId === grantId);
        return Promise.resolve();
      },
    };
  }

  /** Removes the objects that `accepts` selects. @returns how many */
  remove(accepts: (payload: AdapterPayload, model: string) => boolean): number {
    const found = [...this.#entries].filter(([, { payload, model }]) => accepts(payload, model));
    for (const [key] of found) this.#entries.delete(key);
    return found.length;
  }

  #live(model: string): readonly AdapterPayload[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.model === model && entry.expiresAt > Date.now())
      .map(({ payload }) => payload);
  }

  #get(model: string, id: string): AdapterPayload | undefined {
    const entry = this.#entries.get(toKey(model, id));
    return entry === undefined || entry.expiresAt <= Date.now() ? undefined : entry.payload;
  }

  #set(model: string, id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expiresAt = expiresIn ? Date.now() + expiresIn * 1000 : Infinity;
    this.#entries.set(toKey(model, id), { model, payload, expiresAt });
    return Promise.resolve();
  }

  #consume(model: string, id: string): Promise<void> {
    const payload = this.#get(model, id);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    return Promise.resolve();
  }
}

export interface ProviderAccounts {
  readonly find: FindAccount;
  /** Returns the subject whose name and password these are, or undefined. */
  readonly verify: (name: string, password: string) => string | undefined;
}

const readSubject = (user: ProviderUser): string => user.subject ?? user.name;

const createUser = (name: string): ProviderUser => ({ name, password: 'password' });

/** Creates the accounts of a provider. @param users undefined accepts every name with the password `password` */
export const createAccounts = (users: readonly ProviderUser[] | undefined): ProviderAccounts => {
  const findUser = (subject: string): ProviderUser | undefined =>
    users === undefined ? createUser(subject) : users.find((user) => readSubject(user) === subject);
  const byName = (name: string): ProviderUser | undefined =>
    users === undefined ? createUser(name) : users.find((user) => user.name === name);
  const claims = (user: ProviderUser) => ({
    sub: readSubject(user),
    name: user.name,
    email: user.email ?? `${user.name}@example.com`,
    email_verified: true,
    groups: [...(user.groups ?? ['staff'])],
  });
  return {
    find: (_ctx, subject) => {
      const user = findUser(subject);
      return user && { accountId: subject, claims: () => Promise.resolve(claims(user)) };
    },
    verify: (name, password) => {
      const user = byName(name);
      return user !== undefined && name !== '' && user.password === password
        ? readSubject(user)
        : undefined;
    },
  };
};

export interface ProviderParts {
  readonly options: ProviderOptions;
  readonly settings: ProviderSettings;
  readonly store: ProviderStore;
  readonly accounts: ProviderAccounts;
  /** The first one signs. */
  readonly keys: readonly SigningKey[];
  /** Of this provider: cookies of other providers on the same host must not be taken for its own. */
  readonly name: string;
}

const AUDIENCE_SCOPE = 'audience:server:client_id:';

/** Returns the client IDs in scopes of the form that Dex has for further audiences. */
export const parseAudiences = (scope: string | undefined): readonly string[] =>
  (scope ?? '')
    .split(' ')
    .filter((word) => word.startsWith(AUDIENCE_SCOPE))
    .map((word) => word.slice(AUDIENCE_SCOPE.length));

const listScopes = ({ scopes, audiences = [] }: ProviderOptions): string[] => [
  'openid',
  'offline_access',
  'profile',
  'email',
  'groups',
  ...(scopes ?? ['mcp', 'mcp:read', 'mcp:admin']),
  ...audiences.map((audience) => AUDIENCE_SCOPE + audience),
];

const createResourceServer = (
  resource: string,
  { options, settings }: ProviderParts,
): ResourceServer => ({
  scope: listScopes(options).join(' '),
  audience: resource,
  accessTokenTTL: settings.accessTokenSeconds,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'RS256' } },
});

const createResourceIndicators = (parts: ProviderParts) => ({
  enabled: parts.options.resourceIndicators ?? true,
  defaultResource: (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) =>
    Promise.resolve([...(oneOf ?? [])]),
  useGrantedResource: () => Promise.resolve(true),
  getResourceServerInfo: (_ctx: unknown, resource: string) =>
    Promise.resolve(createResourceServer(resource, parts)),
});

/** Documents are fetched from where the test serves them; oidc-provider itself refuses loopback addresses. */
const createDocumentFetch =
  (hosts: Readonly<Record<string, string>>): NonNullable<Configuration['fetch']> =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const address = hosts[url.origin];
    if (address === undefined) return fetch(input, init);
    const { dispatcher: _, ...rest } = (init ?? {}) as RequestInit & { dispatcher?: unknown };
    return fetch(new URL(url.pathname + url.search, address), rest);
  };

const createFeatures = (parts: ProviderParts): NonNullable<Configuration['features']> => ({
  devInteractions: { enabled: false },
  registration: { enabled: parts.options.registration ?? true, initialAccessToken: false },
  registrationManagement: { enabled: parts.options.registration ?? true },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
  revocation: { enabled: true, allowedPolicy: () => Promise.resolve(true) },
  introspection: { enabled: true, allowedPolicy: () => Promise.resolve(true) },
  deviceFlow: { enabled: true },
  clientCredentials: { enabled: true },
  resourceIndicators: createResourceIndicators(parts),
});

const createRefreshRule =
  (rule: ProviderOptions['refreshTokens']): NonNullable<Configuration['issueRefreshToken']> =>
  (_ctx, client, code) =>
    Promise.resolve(
      rule !== 'never' &&
        client.grantTypeAllowed('refresh_token') &&
        (rule !== 'offline_access' || code.scopes.has('offline_access')),
    );

const createCookieSettings = (name: string): NonNullable<Configuration['cookies']> => ({
  keys: [randomBytes(32).toString('base64url')],
  names: {
    session: `session_${name}`,
    interaction: `interaction_${name}`,
    resume: `resume_${name}`,
  },
});

export const createProviderConfiguration = (parts: ProviderParts): Configuration => {
  const { options, settings, store, accounts, name } = parts;
  const prefix = options.path ?? '';
  return {
    adapter: (model: string) => store.adapter(model),
    clients: [...(options.clients ?? [])],
    scopes: listScopes(options),
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    conformIdTokenClaims: false,
    findAccount: accounts.find,
    jwks: { keys: parts.keys.map(({ jwk }) => jwk) },
    cookies: createCookieSettings(name),
    pkce: { required: () => true },
    rotateRefreshToken: options.rotates ?? true,
    issueRefreshToken: createRefreshRule(options.refreshTokens),
    interactions: { url: (_ctx, { uid }) => Promise.resolve(`${prefix}/interaction/${uid}`) },
    ttl: {
      AccessToken: () => settings.accessTokenSeconds,
      IdToken: () => settings.idTokenSeconds,
      AuthorizationCode: 60,
      ClientCredentials: 300,
      DeviceCode: 600,
      Grant: 86_400,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    features: createFeatures(parts),
    fetch: createDocumentFetch(options.documentHosts ?? {}),
  };
};
