import { REVISION_HEADER } from '@gateway/mcp-wire';
import type { JsonObject } from '@gateway/call-contract';
import { createGuardedFetch, type GuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { OAuthAnswerError, readOAuthDocument } from '@gateway/service-host';
import * as z from 'zod/mini';

/** Returns whether a host is this machine. RFC 8252 §7.3 */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);

export const trimSlashes = (text: string): string => text.replace(/\/+$/, '');

const dropDuplicates = (urls: readonly string[]): readonly string[] => [...new Set(urls)];

/** Returns the URLs of the metadata of a protected resource: the path form, then the root form. RFC 9728 §3.1 */
export const listResourceMetadataUrls = (resource: URL): readonly string[] => {
  const { origin } = resource;
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return dropDuplicates([`${root}${trimSlashes(resource.pathname)}`, root]);
};

/** RFC 8414 path insertion, OpenID path insertion, OpenID path appending, then the root forms. RFC 8414 §3.1, OpenID Connect Discovery 1.0 §4 */
export const listIssuerMetadataUrls = (issuer: URL): readonly string[] => {
  const { origin } = issuer;
  const path = trimSlashes(issuer.pathname);
  const oauth = `${origin}/.well-known/oauth-authorization-server`;
  const openId = `${origin}/.well-known/openid-configuration`;
  return dropDuplicates([
    `${oauth}${path}`,
    `${openId}${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    oauth,
    openId,
  ]);
};

const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 10_000 };

export class GuardedFetches {
  readonly #allowPrivate: boolean;

  constructor(allowPrivate: boolean) {
    this.#allowPrivate = allowPrivate;
  }

  /** Returns a `fetch` that may use private addresses at the origins of these URLs, which the operator wrote. */
  create(urls: readonly string[]): GuardedFetch {
    return createGuardedFetch({ ...LIMITS, allowPrivate: this.#createUrlFilter(urls) });
  }

  /** As `create` for the URL of a server, also with http to a private address at its origin, as its connection is. */
  createForServer(url: string, options: { readonly headersOnly?: true } = {}): GuardedFetch {
    const own = new URL(url).origin;
    return createGuardedFetch({
      ...LIMITS,
      ...options,
      allowPrivate: this.#createUrlFilter([url]),
      allowPlain: ({ origin }) => origin === own,
    });
  }

  #createUrlFilter(urls: readonly string[]): (url: URL) => boolean {
    const origins = new Set(urls.map((url) => new URL(url).origin));
    return ({ origin }) => this.#allowPrivate || origins.has(origin);
  }
}

/** A JSON document without members that are `null`, or one line why there is none. */
type FetchedDocument =
  | { readonly ok: true; readonly value: JsonObject }
  /** `isRefused`: the URL is not allowed. `isAway`: the host does not answer, so that its other URLs need no request. */
  | {
      readonly ok: false;
      readonly isRefused: boolean;
      readonly isAway: boolean;
      readonly reason: string;
    };

const AWAY: ReadonlySet<string> = new Set(['refused', 'timeout', 'unreachable']);

const HEADERS = { accept: 'application/json', [REVISION_HEADER]: '2025-11-25' };

export const fetchDocument = async (fetch: GuardedFetch, url: string): Promise<FetchedDocument> => {
  try {
    const response = await fetch(url, { headers: HEADERS });
    return { ok: true, value: await readOAuthDocument(response) };
  } catch (error) {
    const isGuard = error instanceof GuardedFetchError;
    const isKnown = isGuard || error instanceof OAuthAnswerError;
    const reason = isKnown ? error.message : 'the answer cannot be read';
    return {
      ok: false,
      isRefused: isGuard && error.code === 'refused',
      isAway: isGuard && AWAY.has(error.code),
      reason,
    };
  }
};

const text = z.string().check(z.maxLength(2_048));

/** Servers in use write one text in place of a list, separated by spaces, and `null` inside lists. */
const optionalTexts = z.exactOptional(
  z.pipe(
    z.transform((value: unknown) => {
      if (typeof value === 'string') return value.split(' ').filter((one) => one !== '');
      return Array.isArray(value) ? value.filter((one) => one !== null) : value;
    }),
    z.array(text).check(z.maxLength(1_000)),
  ),
);

const httpUrl = text.check(
  z.refine((value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, username, password, hash } = new URL(value);
    const isHttp = protocol === 'https:' || protocol === 'http:';
    return isHttp && username === '' && password === '' && hash === '';
  }),
);
const endpoint = z.exactOptional(httpUrl);

const protectedResource = z.object({
  resource: httpUrl,
  authorization_servers: optionalTexts,
  scopes_supported: optionalTexts,
});

/** The metadata of a protected resource, as far as it is used. RFC 9728 §2 */
export type ProtectedResourceMetadata = z.output<typeof protectedResource>;

const authorizationServer = z.object({
  issuer: httpUrl,
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  registration_endpoint: endpoint,
  revocation_endpoint: endpoint,
  scopes_supported: optionalTexts,
  code_challenge_methods_supported: optionalTexts,
  prompt_values_supported: optionalTexts,
  token_endpoint_auth_methods_supported: optionalTexts,
  client_id_metadata_document_supported: z.exactOptional(z.boolean()),
  authorization_response_iss_parameter_supported: z.exactOptional(z.boolean()),
});

/** The metadata of an authorization server, as far as it is used. RFC 8414 §2 */
export type AuthorizationServerMetadata = z.output<typeof authorizationServer>;

export type ParsedMetadata<T> =
  { readonly ok: true; readonly metadata: T } | { readonly ok: false; readonly problem: string };

/** Parses a document; members with an empty text count as absent. */
const parseDocument = <T>(schema: z.ZodMiniType<T>, document: JsonObject): ParsedMetadata<T> => {
  const given = Object.entries(document).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return { ok: true, metadata: parsed.data };
  const member = String(parsed.error.issues[0]?.path[0]);
  const isMissing = !given.some(([name]) => name === member);
  return { ok: false, problem: `its member "${member}" is ${isMissing ? 'missing' : 'not valid'}` };
};

export const parseProtectedResource = (
  document: JsonObject,
): ParsedMetadata<ProtectedResourceMetadata> => parseDocument(protectedResource, document);

export const parseAuthorizationServer = (
  document: JsonObject,
): ParsedMetadata<AuthorizationServerMetadata> => parseDocument(authorizationServer, document);
