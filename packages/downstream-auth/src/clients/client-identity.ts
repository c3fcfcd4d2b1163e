import type { ClientCredentialsSecretRef } from '@gateway/crd-schemas';
import type { ClientCredentials } from '@gateway/service-host';
import * as z from 'zod/mini';
import type { SecretSource } from '../ports/credentials.ts';

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
export const secretMethodOf = (supported: readonly string[] | undefined): ClientMethod =>
  supported === undefined || supported.includes('client_secret_basic')
    ? 'client_secret_basic'
    : 'client_secret_post';

/** Returns the method to register with: no secret where the server allows it. */
export const registrationMethodOf = (supported: readonly string[] | undefined): ClientMethod =>
  supported?.includes('none') === true ? 'none' : secretMethodOf(supported);

export const CLIENT_DOCUMENT_PATH = '/.well-known/oauth-client';

const CLIENT_NAME = 'MCP gateway';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '[::1]']);

/** Returns true for a URL of this machine. RFC 8252 §7.3 */
const isLoopbackUrl = ({ hostname }: URL): boolean =>
  LOOPBACK.has(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** The metadata that the gateway registers with. RFC 7591 §2 */
export const clientMetadata = (redirectUri: string): Readonly<Record<string, unknown>> => ({
  client_name: CLIENT_NAME,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: isLoopbackUrl(new URL(redirectUri)) ? 'native' : 'web',
});

/** The client ID metadata document of the gateway, which has no secret. */
export const clientDocument = (
  clientId: string,
  redirectUri: string,
): Readonly<Record<string, unknown>> => ({
  client_id: clientId,
  ...clientMetadata(redirectUri),
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
