import { CommandFailure } from '../failure.ts';
import { requireSecure, signInFetch } from './sign-in-fetch.ts';

/** The metadata of a gateway that requires a sign-in (RFC 9728). */
export interface GatewayResource {
  /** Identifier for the parameter `resource` (RFC 8707). */
  readonly resource: string;
  readonly issuers: readonly string[];
  /** The scopes of the challenge, otherwise those of the metadata. */
  readonly scopes: readonly string[];
}

interface Challenge {
  readonly metadataUrl: string | undefined;
  readonly scopes: readonly string[];
}

const words = (text: string | undefined): readonly string[] =>
  (text ?? '').split(' ').filter((word) => word !== '');

const parameter = (challenge: string, name: string): string | undefined =>
  new RegExp(`(?:^|[\\s,])${name}="([^"\\\\]{1,2048})"`, 'iu').exec(challenge)?.[1];

/** Returns the challenge of a request without a token, or undefined when the gateway does not require one. */
const requestChallenge = async (url: URL): Promise<Challenge | undefined> => {
  const response = await signInFetch(url, {
    method: 'GET',
    headers: { accept: 'text/event-stream' },
  });
  if (response.status !== 401) return undefined;
  const challenge = response.headers.get('www-authenticate') ?? '';
  return {
    metadataUrl: parameter(challenge, 'resource_metadata'),
    scopes: words(parameter(challenge, 'scope')),
  };
};

/** The places of the metadata, the most specific first. RFC 9728 section 3.1 */
const metadataUrls = (url: URL, { metadataUrl }: Challenge): readonly URL[] => {
  if (metadataUrl !== undefined) {
    return URL.canParse(metadataUrl) ? [requireSecure(new URL(metadataUrl))] : [];
  }
  const wellKnown = '/.well-known/oauth-protected-resource';
  return [new URL(wellKnown + url.pathname, url), new URL(wellKnown, url)];
};

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The resource is the endpoint, or a path above it. */
const covers = (resource: string, url: URL): boolean => {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return origin === url.origin && `${url.pathname}/`.startsWith(folder);
};

const parseMetadata = (
  value: unknown,
  url: URL,
): Omit<GatewayResource, 'scopes'> & {
  readonly scopesSupported: readonly string[];
} => {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = fields;
  if (typeof resource !== 'string' || !isTextList(issuers) || issuers.length === 0) {
    throw new CommandFailure('failed', `the sign-in metadata of ${url.origin} is not valid`);
  }
  if (!covers(resource, url)) {
    throw new CommandFailure(
      'failed',
      `the sign-in metadata of ${url.href} is for another address: use the URL under which the gateway is published`,
    );
  }
  return { resource, issuers, scopesSupported: isTextList(scopes) ? scopes : [] };
};

const fetchJson = async (url: URL): Promise<unknown> => {
  const response = await signInFetch(url, { headers: { accept: 'application/json' } });
  return response.status === 200 ? response.json().catch(() => undefined) : undefined;
};

/** Returns how to sign in to a gateway, or undefined when it does not require a sign-in. */
export const discoverResource = async (url: URL): Promise<GatewayResource | undefined> => {
  const challenge = await requestChallenge(requireSecure(url));
  if (challenge === undefined) return undefined;
  for (const place of metadataUrls(url, challenge)) {
    const value = await fetchJson(place);
    if (value === undefined) continue;
    const { scopesSupported, ...resource } = parseMetadata(value, url);
    const { scopes } = challenge;
    return { ...resource, scopes: scopes.length > 0 ? scopes : scopesSupported };
  }
  throw new CommandFailure('failed', `${url.href} requires a sign-in and does not say where`);
};
