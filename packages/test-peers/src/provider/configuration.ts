import { randomBytes } from 'node:crypto';
import { errors, type Configuration, type ResourceServer } from 'oidc-provider';
import type { Accounts } from './accounts.ts';
import type { ProviderStore } from './memory-adapter.ts';
import type { ProviderOptions, ProviderSettings } from './provider-options.ts';
import type { SigningKey } from './signing-keys.ts';

/** Everything that a provider is made of. */
export interface ProviderParts {
  readonly options: ProviderOptions;
  readonly settings: ProviderSettings;
  readonly store: ProviderStore;
  readonly accounts: Accounts;
  /** The first one signs. */
  readonly keys: readonly SigningKey[];
  /** Of this provider: cookies of other providers on the same host must not be taken for its own. */
  readonly name: string;
}

const AUDIENCE_SCOPE = 'audience:server:client_id:';

/** Returns the client IDs in scopes of the form that Dex has for further audiences. */
export const audiencesIn = (scope: string | undefined): readonly string[] =>
  (scope ?? '')
    .split(' ')
    .filter((word) => word.startsWith(AUDIENCE_SCOPE))
    .map((word) => word.slice(AUDIENCE_SCOPE.length));

const scopesOf = ({ scopes, audiences = [] }: ProviderOptions): string[] => [
  'openid',
  'offline_access',
  'profile',
  'email',
  'groups',
  ...(scopes ?? ['mcp', 'mcp:read', 'mcp:admin']),
  ...audiences.map((audience) => AUDIENCE_SCOPE + audience),
];

const resourceServer = (
  resource: string,
  { options, settings }: ProviderParts,
): ResourceServer => ({
  scope: scopesOf(options).join(' '),
  audience: resource,
  accessTokenTTL: settings.accessTokenSeconds,
  ...(options.accessTokens === 'opaque'
    ? { accessTokenFormat: 'opaque' }
    : { accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }),
});

const resourceIndicators = (parts: ProviderParts) => {
  const { isResource = () => true } = parts.options;
  return {
    enabled: parts.options.resourceIndicators ?? true,
    defaultResource: (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) =>
      Promise.resolve([...(oneOf ?? [])]),
    useGrantedResource: () => Promise.resolve(true),
    getResourceServerInfo: (_ctx: unknown, resource: string) => {
      if (!isResource(resource)) throw new errors.InvalidTarget();
      return Promise.resolve(resourceServer(resource, parts));
    },
  };
};

/** Documents are fetched from where the test serves them; oidc-provider itself refuses loopback addresses. */
const documentFetch =
  (hosts: Readonly<Record<string, string>>): NonNullable<Configuration['fetch']> =>
  (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const address = hosts[url.origin];
    if (address === undefined) return fetch(input, init);
    const { dispatcher: _, ...rest } = (init ?? {}) as RequestInit & { dispatcher?: unknown };
    return fetch(new URL(url.pathname + url.search, address), rest);
  };

const features = (parts: ProviderParts): NonNullable<Configuration['features']> => ({
  devInteractions: { enabled: false },
  registration: { enabled: parts.options.registration ?? true, initialAccessToken: false },
  registrationManagement: { enabled: parts.options.registration ?? true },
  clientIdMetadataDocument: {
    enabled: parts.options.clientDocuments ?? true,
    ack: 'draft-02',
  },
  revocation: { enabled: true, allowedPolicy: () => Promise.resolve(true) },
  introspection: { enabled: true, allowedPolicy: () => Promise.resolve(true) },
  deviceFlow: { enabled: true },
  clientCredentials: { enabled: true },
  resourceIndicators: resourceIndicators(parts),
});

const issuesRefreshToken =
  (rule: ProviderOptions['refreshTokens']): NonNullable<Configuration['issueRefreshToken']> =>
  (_ctx, client, code) =>
    Promise.resolve(
      rule !== 'never' &&
        client.grantTypeAllowed('refresh_token') &&
        (rule !== 'offline_access' || code.scopes.has('offline_access')),
    );

const cookies = (name: string): NonNullable<Configuration['cookies']> => ({
  keys: [randomBytes(32).toString('base64url')],
  names: {
    session: `session_${name}`,
    interaction: `interaction_${name}`,
    resume: `resume_${name}`,
  },
});

/** Returns the configuration of oidc-provider for the options of a test. */
export const providerConfiguration = (parts: ProviderParts): Configuration => {
  const { options, settings, store, accounts, name } = parts;
  const prefix = options.path ?? '';
  return {
    adapter: (model: string) => store.adapter(model),
    clients: [...(options.clients ?? [])],
    scopes: scopesOf(options),
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    conformIdTokenClaims: false,
    findAccount: accounts.find,
    jwks: { keys: parts.keys.map(({ jwk }) => jwk) },
    cookies: cookies(name),
    pkce: { required: () => true },
    rotateRefreshToken: options.rotates ?? true,
    issueRefreshToken: issuesRefreshToken(options.refreshTokens),
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
    features: features(parts),
    fetch: documentFetch(options.documentHosts ?? {}),
  };
};
