import type { GuardedFetch } from '@gateway/guarded-fetch';
import { fetchDocument } from './fetch-metadata.ts';
import { parseAuthorizationServer } from './metadata.ts';
import type { AuthorizationServerMetadata } from './metadata.ts';
import { authorizationServerUrls } from './well-known-urls.ts';

/** The metadata of an authorization server, or one sentence why it cannot be used. */
export type AuthorizationServerOutcome =
  | { readonly ok: true; readonly metadata: AuthorizationServerMetadata }
  | { readonly ok: false; readonly reason: string };

/** Options of the request for the metadata of an authorization server. */
export interface AuthorizationServerRequest {
  readonly issuer: string;
  /** The operator wrote the issuer. A slash at its end does not count then. */
  readonly isPinned: boolean;
  readonly fetch: GuardedFetch;
}

/** Statuses of a URL that does not exist. */
const NOT_FOUND = /^HTTP 4(?:04|05|10)/;

const trimmed = (issuer: string): string => issuer.replace(/\/+$/, '');

const mismatchText = (issuer: string, reported: string, isPinned: boolean): string => {
  if (isPinned)
    return `authorizationServer override: issuer mismatch — spec.auth.authorizationServer.issuer="${issuer}" but AS metadata reports issuer="${reported}"`;
  return trimmed(issuer) === trimmed(reported)
    ? `The server names the authorization server "${issuer}", whose metadata reports the issuer "${reported}": the slash at the end differs. Set spec.auth.authorizationServer.issuer to "${reported}", or correct authorization_servers in the metadata of the server.`
    : `The authorization server "${issuer}" reports another issuer in its metadata: "${reported}".`;
};

/** A browser opens a page without TLS only at the host of an issuer that has none, which is on this machine. RFC 6749 §3.1 */
const mayOpen = (endpoint: string, issuer: string): boolean => {
  const { protocol, hostname } = new URL(endpoint);
  const { protocol: issuerProtocol, hostname: issuerHost } = new URL(issuer);
  return protocol === 'https:' || (issuerProtocol === 'http:' && hostname === issuerHost);
};

/** Returns the sentence that refuses metadata; `undefined` when it can be used. */
const problemOf = (metadata: AuthorizationServerMetadata): string | undefined => {
  const { issuer } = metadata;
  if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
    return `The authorization server "${issuer}" has no authorization endpoint or no token endpoint.`;
  if (metadata.code_challenge_methods_supported === undefined)
    return `The authorization server "${issuer}" does not state code_challenge_methods_supported in its metadata; PKCE with S256 is required.`;
  if (!mayOpen(metadata.authorization_endpoint, issuer))
    return `The authorization server "${issuer}" has an authorization endpoint without https.`;
  return metadata.code_challenge_methods_supported.includes('S256')
    ? undefined
    : `The authorization server "${issuer}" does not support PKCE with S256, which is required.`;
};

/** Metadata, or the reason why a URL has none. */
type Attempt =
  | { readonly ok: true; readonly metadata: AuthorizationServerMetadata }
  | { readonly ok: false; readonly failure: string; readonly isAway: boolean };

const attempt = async (fetch: GuardedFetch, url: string): Promise<Attempt> => {
  const document = await fetchDocument(fetch, url);
  if (!document.ok) return { ok: false, failure: document.reason, isAway: document.isAway };
  const parsed = parseAuthorizationServer(document.value);
  return parsed.ok ? parsed : { ok: false, failure: parsed.problem, isAway: false };
};

const outcomeOf = (metadata: AuthorizationServerMetadata): AuthorizationServerOutcome => {
  const reason = problemOf(metadata);
  return reason === undefined ? { ok: true, metadata } : { ok: false, reason };
};

const isSame = ({ issuer, isPinned }: AuthorizationServerRequest, reported: string): boolean =>
  isPinned ? trimmed(reported) === trimmed(issuer) : reported === issuer;

/**
 * Requests the metadata of an authorization server at its well-known URLs, in order, and returns the first that names the issuer. Never
 * rejects. RFC 8414 §3.3
 */
export const requestAuthorizationServer = async (
  request: AuthorizationServerRequest,
): Promise<AuthorizationServerOutcome> => {
  const { issuer, isPinned, fetch } = request;
  if (!URL.canParse(issuer))
    return { ok: false, reason: 'The server names an authorization server that is not a URL.' };
  let mismatch: string | undefined;
  let failure: string | undefined;
  for (const url of authorizationServerUrls(new URL(issuer))) {
    const found = await attempt(fetch, url);
    if (found.ok) {
      if (isSame(request, found.metadata.issuer)) return outcomeOf(found.metadata);
      mismatch ??= found.metadata.issuer;
    } else if (found.isAway) {
      failure = found.failure;
      break;
    } else if (failure === undefined || !NOT_FOUND.test(found.failure)) {
      // An answer says more than that a form of the URL does not exist.
      failure = `${found.failure} (${url})`;
    }
  }
  const reason =
    mismatch === undefined
      ? `The metadata of the authorization server "${issuer}" cannot be read: ${failure ?? ''}.`
      : mismatchText(issuer, mismatch, isPinned);
  return { ok: false, reason };
};
