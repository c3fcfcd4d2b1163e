import type { AuthorizationServer } from '@gateway/crd-schemas';
import { requestAuthorizationServer } from './authorization-server.ts';
import type { BearerChallenge } from '../challenge/bearer-challenge.ts';
import type { GuardedFetches } from './guarded-fetches.ts';
import { requestChallenge, requestProtectedResource } from './protected-resource.ts';
import type { DiscoveryOutcome } from './sign-in-target.ts';

/** A server whose authorization server is not known yet. */
export interface DiscoveryRequest {
  readonly serverUrl: string;
  /** The authorization server that the operator wrote. @spec §2.6 authorizationServer */
  readonly pinned?: AuthorizationServer;
}

interface Named {
  readonly issuer: string;
  readonly resource: string;
  readonly scope?: string;
}

type NamedOutcome =
  { readonly ok: true; readonly named: Named } | Extract<DiscoveryOutcome, { ok: false }>;

/** Returns a resource identifier of a URL: without a fragment, and without a slash as the only path. RFC 8707 §2 */
const resourceOf = (url: URL): string => {
  const { origin, pathname, search } = url;
  return `${origin}${pathname === '/' ? '' : pathname}${search}`;
};

const isHttpUrl = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text);

const NO_ISSUER = 'its member "authorization_servers" is missing or empty';

/** Returns the scopes of the challenge, else those of the metadata. */
const scopeOf = (challenge: BearerChallenge | undefined, supported?: readonly string[]) => {
  const scope = challenge?.scope ?? supported?.join(' ');
  return scope === undefined || scope === '' ? {} : { scope };
};

const namedBy = async (server: URL, fetches: GuardedFetches): Promise<NamedOutcome> => {
  const challenge = await requestChallenge(fetches.headersOfServer(server.href), server.href);
  const outcome = await requestProtectedResource(fetches.ofServer(server.href), server, challenge);
  if (outcome.kind === 'failed') return { ok: false, code: 'failed', reason: outcome.reason };
  if (outcome.kind === 'metadata') {
    const { resource, authorization_servers: issuers, scopes_supported } = outcome.metadata;
    const issuer = issuers?.[0];
    const scope = scopeOf(challenge, scopes_supported);
    if (issuer !== undefined) return { ok: true, named: { issuer, resource, ...scope } };
  }
  const realm = challenge?.realm;
  if (!isHttpUrl(realm)) {
    const problem = outcome.kind === 'metadata' ? NO_ISSUER : outcome.problem;
    return { ok: false, code: 'metadata-missing', ...(problem !== undefined && { problem }) };
  }
  return {
    ok: true,
    named: { issuer: realm, resource: resourceOf(server), ...scopeOf(challenge) },
  };
};

/**
 * Finds the authorization server of a server: the pinned one, else from its metadata, else from the realm of its challenge, and requests its
 * metadata. Never rejects. @spec §2.6 authorizationServer
 */
export const discoverTarget = async (
  { serverUrl, pinned }: DiscoveryRequest,
  fetches: GuardedFetches,
): Promise<DiscoveryOutcome> => {
  const server = new URL(serverUrl);
  const outcome: NamedOutcome =
    pinned === undefined
      ? await namedBy(server, fetches)
      : {
          ok: true,
          named: {
            issuer: pinned.issuer,
            resource: resourceOf(server),
            ...(pinned.scopes !== undefined && { scope: pinned.scopes }),
          },
        };
  if (!outcome.ok) return outcome;
  const { named } = outcome;
  const isPinned = pinned !== undefined;
  const fetch = fetches.of([server.href, ...(isPinned ? [pinned.issuer] : [])]);
  const found = await requestAuthorizationServer({ issuer: named.issuer, isPinned, fetch });
  if (!found.ok) return { ok: false, code: 'failed', reason: found.reason };
  const { metadata } = found;
  return { ok: true, target: { ...named, issuer: metadata.issuer, metadata } };
};
