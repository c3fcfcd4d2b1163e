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

/** Returns the sentence that refuses metadata; `undefined` when it can be used. */
const problemOf = (metadata: AuthorizationServerMetadata): string | undefined => {
  const { issuer } = metadata;
  if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
    return `The authorization server "${issuer}" has no authorization endpoint or no token endpoint.`;
  return metadata.code_challenge_methods_supported?.includes('S256') === true
    ? undefined
    : `The authorization server "${issuer}" does not support PKCE with S256, which is required.`;
};

/**
 * Requests the metadata of an authorization server at its well-known URLs, in order, and returns the first that names the issuer. Never
 * rejects. RFC 8414 §3.3
 */
export const requestAuthorizationServer = async ({
  issuer,
  isPinned,
  fetch,
}: AuthorizationServerRequest): Promise<AuthorizationServerOutcome> => {
  if (!URL.canParse(issuer))
    return { ok: false, reason: 'The server names an authorization server that is not a URL.' };
  const same = isPinned
    ? (reported: string): boolean => trimmed(reported) === trimmed(issuer)
    : (reported: string): boolean => reported === issuer;
  let mismatch: string | undefined;
  let failure = 'no metadata';
  for (const url of authorizationServerUrls(new URL(issuer))) {
    const document = await fetchDocument(fetch, url);
    const metadata = document.ok ? parseAuthorizationServer(document.value) : undefined;
    if (metadata !== undefined && same(metadata.issuer)) {
      const problem = problemOf(metadata);
      return problem === undefined ? { ok: true, metadata } : { ok: false, reason: problem };
    }
    if (metadata !== undefined) mismatch ??= metadata.issuer;
    if (!document.ok && document.reason !== 'HTTP 404') failure = document.reason;
    if (!document.ok && document.isRefused) break;
  }
  const reason =
    mismatch === undefined
      ? `The metadata of the authorization server "${issuer}" cannot be read: ${failure}.`
      : mismatchText(issuer, mismatch, isPinned);
  return { ok: false, reason };
};
