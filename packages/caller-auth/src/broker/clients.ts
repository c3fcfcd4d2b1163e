import { isJsonObject } from '@gateway/call-contract';
import type { ClientMetadata, JWK } from 'oidc-provider';
import { type BrokerSettings, BROWSER_CLIENT, COMMAND_LINE_CLIENT } from '../auth-settings.ts';

/** The receiver of the result of a sign-in, as a user should know it. */
export interface RedirectFacts {
  /** Host and port, or the scheme of an application. */
  readonly host: string;
  /** `loopback`: a program on the user's own computer; `application`: an application with a scheme of its own; `site`: a web site. */
  readonly kind: 'loopback' | 'application' | 'site';
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether a redirect URI names a program on the user's own computer (RFC 8252 §7.3). */
export const isLoopbackRedirect = (uri: string): boolean =>
  URL.canParse(uri) &&
  new URL(uri).protocol === 'http:' &&
  LOOPBACK_HOSTS.has(new URL(uri).hostname);

/** Returns what a redirect URI is. The URI must be one that `URL` can parse. */
export const parseRedirect = (uri: string): RedirectFacts => {
  const { protocol, host } = new URL(uri);
  if (isLoopbackRedirect(uri)) return { host, kind: 'loopback' };
  if (protocol === 'https:' || protocol === 'http:') return { host, kind: 'site' };
  return { host: protocol, kind: 'application' };
};

/**
 * Returns the type of application that redirect URIs belong to: with `native`, the port of a loopback address may differ from the
 * registered one, because the program takes any free port (RFC 8252 §7.3).
 */
const resolveApplicationType = (redirectUris: unknown): 'native' | 'web' =>
  Array.isArray(redirectUris) &&
  redirectUris.some((uri) => typeof uri === 'string' && isNativeRedirect(uri))
    ? 'native'
    : 'web';

const isNativeRedirect = (uri: string): boolean => {
  if (!URL.canParse(uri)) return false;
  const { protocol } = new URL(uri);
  return isLoopbackRedirect(uri) || (protocol !== 'https:' && protocol !== 'http:');
};

/** The members of client metadata that this server uses. Others, logos and key addresses among them, are left out: nothing fetches them. */
const MEMBERS = [
  'client_id',
  'client_name',
  'client_uri',
  'grant_types',
  'jwks',
  'redirect_uris',
  'response_types',
  'token_endpoint_auth_method',
];

const MAX_NAME_CHARS = 120;
const MAX_REDIRECT_URIS = 64;

/** Characters that break lines or change the direction of the text around them: with them a name can imitate other text of a page. */
const UNSAFE_NAME = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Metadata of a client that cannot be used, and why. */
interface RefusedMetadata {
  readonly ok: false;
  /** One sentence without values of the metadata. */
  readonly problem: string;
}

/** Metadata of a client, reduced to what this server uses. */
type ClientMetadataOutcome =
  { readonly ok: true; readonly metadata: Readonly<Record<string, unknown>> } | RefusedMetadata;

const isSupportedGrant = (type: unknown): boolean =>
  type === 'authorization_code' ||
  type === 'refresh_token' ||
  type === 'urn:ietf:params:oauth:grant-type:device_code';

const isPlainSite = (uri: unknown): boolean =>
  typeof uri === 'string' &&
  URL.canParse(uri) &&
  new URL(uri).protocol === 'http:' &&
  !isLoopbackRedirect(uri);

const readGrantTypes = (value: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(value) ? { grant_types: value.filter(isSupportedGrant) } : {};

const nameProblem = (name: unknown): string | undefined => {
  if (typeof name !== 'string') return undefined;
  if (name.length > MAX_NAME_CHARS) return `client_name has at most ${MAX_NAME_CHARS} characters`;
  return UNSAFE_NAME.test(name) ? 'client_name has control characters' : undefined;
};

/**
 * Returns metadata of a client that registers itself or publishes a document. Scopes are left out, because a client may ask for all and a
 * user decides. `application_type` follows from the redirect URIs if it is absent.
 */
export const parseClientMetadata = (given: unknown): ClientMetadataOutcome => {
  if (!isJsonObject(given)) return { ok: false, problem: 'the metadata is not an object' };
  const used = Object.fromEntries(
    MEMBERS.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
  );
  const {
    client_name: name,
    redirect_uris: uris,
    grant_types: grantTypes,
    application_type: type,
  } = given;
  if (Array.isArray(uris) && uris.length > MAX_REDIRECT_URIS)
    return { ok: false, problem: `at most ${MAX_REDIRECT_URIS} redirect URIs are permitted` };
  if (Array.isArray(uris) && uris.some(isPlainSite))
    return { ok: false, problem: 'a redirect URI with http names a loopback address' };
  const problem = nameProblem(name);
  if (problem !== undefined) return { ok: false, problem };
  const application_type =
    type === 'native' || type === 'web' ? type : resolveApplicationType(uris);
  const metadata = { ...used, ...readGrantTypes(grantTypes), application_type };
  return { ok: true, metadata };
};

/** Returns the metadata of the client. It has no scope of the gateway, and its codes are not redeemed. */
export const createBrowserClient = (returnUri: string): ClientMetadata => ({
  client_id: BROWSER_CLIENT,
  client_name: 'Gateway',
  application_type: resolveApplicationType([returnUri]),
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [returnUri],
  scope: 'openid',
});

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

const commandLine: ClientMetadata = {
  client_id: COMMAND_LINE_CLIENT,
  client_name: 'Gateway command line',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
  response_types: ['code'],
  redirect_uris: [
    'http://127.0.0.1/callback',
    'http://localhost/callback',
    'http://[::1]/callback',
  ],
};

type ClientSettings = BrokerSettings['clients'][number];

/** A client with scopes of its own has no users. */
const toGrants = ({ serviceScopes }: ClientSettings): Partial<ClientMetadata> =>
  serviceScopes.length === 0
    ? {
        grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
        response_types: ['code'],
      }
    : {
        grant_types: ['client_credentials'],
        response_types: [],
        scope: serviceScopes.join(' '),
      };

/** Rejects with one sentence when a file cannot be read or used. */
const readAuthentication = async (
  { clientId, clientSecretFile, jwksFile }: ClientSettings,
  readSecret: (file: string) => Promise<string>,
): Promise<Partial<ClientMetadata>> => {
  if (clientSecretFile !== undefined)
    return {
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: await readSecret(clientSecretFile),
    };
  if (jwksFile === undefined) return { token_endpoint_auth_method: 'none' };
  const jwks = parseKeySet(await readSecret(jwksFile));
  if (jwks === undefined)
    throw new Error(`jwksFile of the client ${clientId} has no JWK set: {"keys": [...]}`);
  return { token_endpoint_auth_method: 'private_key_jwt', jwks };
};

const parseKeySet = (text: string): { readonly keys: readonly JWK[] } | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isKeySet(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isKeySet = (value: unknown): value is { readonly keys: readonly JWK[] } =>
  isJsonObject(value) && Array.isArray(value['keys']) && value['keys'].every(isJsonObject);

/**
 * Returns the clients that the server knows in advance: those of the settings, and the command line of the gateway.
 *
 * @param readSecret reads a file with a secret; rejects with one sentence when it cannot
 */
export const listKnownClients = async (
  settings: BrokerSettings['clients'],
  readSecret: (file: string) => Promise<string>,
): Promise<readonly ClientMetadata[]> => {
  const configured = settings.map(async (client): Promise<ClientMetadata> => ({
    client_id: client.clientId,
    client_name: client.name ?? client.clientId,
    redirect_uris: [...client.redirectUris],
    application_type: resolveApplicationType(client.redirectUris),
    ...toGrants(client),
    ...(await readAuthentication(client, readSecret)),
  }));
  return [...(await Promise.all(configured)), commandLine];
};
