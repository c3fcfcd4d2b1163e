import { createHash } from 'node:crypto';
import type { ClientIdentity } from '../clients/client-identity.ts';
import type { SignInUrls } from './sign-in-urls.ts';

/** The form of {@link issuerSegment}. */
const SEGMENT = /^[\w-]{22}$/;

/** Returns the last segment of the URLs that one issuer alone has: 132 bits of a digest, so that no issuer can have those of another one. */
const issuerSegment = (issuer: string): string =>
  createHash('sha256').update(issuer).digest('base64url').slice(0, 22);

/** The URLs of the gateway at one issuer. */
export interface IssuerUrls {
  readonly callback: string;
  /** URL of the client ID metadata document. */
  readonly document: string;
}

const urlsAt = (
  { callback, document, isOwnDocument }: SignInUrls,
  segment: string,
): IssuerUrls => ({
  callback: `${callback}/${segment}`,
  document: isOwnDocument ? `${document}/${segment}` : document,
});

/** Returns the URLs for an issuer. A document of the operator is the same for all. */
export const issuerUrls = (urls: SignInUrls, issuer: string): IssuerUrls =>
  urlsAt(urls, issuerSegment(issuer));

/** Returns the URLs whose last segment a request names; `undefined` when no issuer can have it. */
export const requestedUrls = (urls: SignInUrls, segment: string): IssuerUrls | undefined =>
  SEGMENT.test(segment) && urls.isOwnDocument ? urlsAt(urls, segment) : undefined;

/**
 * Returns the redirect URI of a sign-in. An issuer has one of its own, which a code of another issuer does not arrive at (mix-up, RFC 9700 §4.4.2.2),
 * unless the operator wrote the redirect URI: into the registration of a client or into a document.
 */
export const redirectUriOf = (urls: SignInUrls, issuer: string, client: ClientIdentity): string => {
  const isOfOperator =
    client.kind === 'pre-registered' || (client.kind === 'document' && !urls.isOwnDocument);
  return isOfOperator ? urls.callback : issuerUrls(urls, issuer).callback;
};
