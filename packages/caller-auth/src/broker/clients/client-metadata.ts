import { isJsonObject } from '@gateway/call-contract';
import { applicationTypeOf, isLoopbackRedirect } from './redirect-facts.ts';

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
export interface RefusedMetadata {
  readonly ok: false;
  /** One sentence without values of the metadata. */
  readonly problem: string;
}

/** Metadata of a client, reduced to what this server uses. */
export type ClientMetadataOutcome =
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

const grantTypesOf = (value: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(value) ? { grant_types: value.filter(isSupportedGrant) } : {};

const nameProblem = (name: unknown): string | undefined => {
  if (typeof name !== 'string') return undefined;
  if (name.length > MAX_NAME_CHARS) return `client_name has at most ${MAX_NAME_CHARS} characters`;
  return UNSAFE_NAME.test(name) ? 'client_name has control characters' : undefined;
};

/**
 * Returns metadata of a client that registers itself or publishes a document. Scopes are left out, because a client may ask for all and a
 * person decides. `application_type` follows from the redirect URIs if it is absent.
 */
export const clientMetadataOf = (given: unknown): ClientMetadataOutcome => {
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
  const application_type = type === 'native' || type === 'web' ? type : applicationTypeOf(uris);
  const metadata = { ...used, ...grantTypesOf(grantTypes), application_type };
  return { ok: true, metadata };
};
