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

const trimmed = (issuer: string): string => issuer.replace(/\/+$/, '');

const mismatchText = (issuer: string, reported: string, isPinned: boolean): string =>
  isPinned
    ? `authorizationServer override: issuer mismatch — spec.auth.authorizationServer.issuer="${issuer}" but AS metadata reports issuer="${reported}"`
    : `The authorization server "${issuer}" reports another issuer in its metadata: "${reported}".`;

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
  if (!mayOpen(metadata.authorization_endpoint, issuer))
    return `The authorization server "${issuer}" has an authorization endpoint without https.`;
  return metadata.code_challenge_methods_supported?.includes('S256') === true
    ? undefined
    : `The authorization server "${issuer}" does not support PKCE with S256, which is required.`;
};

/** Metadata, or the reason why a URL has none that names the issuer. */
interface Attempt {
  readonly metadata?: AuthorizationServerMetadata;
  readonly failure?: string;
  readonly isAway: boolean;
}

const attempt = async (fetch: GuardedFetch, url: string): Promise<Attempt> => {
  const document = await fetchDocument(fetch, url);
  if (!document.ok) {
    const { reason, isAway } = document;
    return { isAway, ...(reason !== 'HTTP 404' && { failure: reason }) };
  }
  const metadata = parseAuthorizationServer(document.value);
  return { isAway: false, ...(metadata !== undefined && { metadata }) };
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
  let failure = 'there is none';
  for (const url of authorizationServerUrls(new URL(issuer))) {
    const { metadata, failure: why, isAway } = await attempt(fetch, url);
    if (metadata !== undefined && isSame(request, metadata.issuer)) return outcomeOf(metadata);
    mismatch ??= metadata?.issuer;
    if (why !== undefined) failure = why;
    if (isAway) break;
  }
  const reason =
    mismatch === undefined
      ? `The metadata of the authorization server "${issuer}" cannot be read: ${failure}.`
      : mismatchText(issuer, mismatch, isPinned);
  return { ok: false, reason };
};
