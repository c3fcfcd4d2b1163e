import type { JsonObject } from '@gateway/call-contract';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { fetchJson, IssuerUnavailable } from './json-document.ts';

/**
 * Returns the URLs at which the metadata of an issuer may be, in the order in which they are asked: the forms of RFC 8414 §3.1 and
 * OpenID Connect Discovery §4 for an issuer with a path, and the same for one without.
 */
const metadataUrlsOf = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
};

/** Metadata that answers and names something else than the configuration does. */
class WrongMetadata extends IssuerUnavailable {}

/**
 * Returns the URL of the keys of an issuer from its metadata. The `issuer` of the metadata is compared as a string. RFC 8414 §3.3
 * Rejects with {@link IssuerUnavailable} when no form of the URL has such metadata.
 */
export const discoverKeysUrl = async (fetch: GuardedFetch, issuer: string): Promise<string> => {
  let failure: unknown;
  for (const url of metadataUrlsOf(issuer)) {
    try {
      return keysUrlIn(await fetchJson(fetch, url), issuer);
    } catch (error) {
      // It says more than that another form of the URL has no metadata.
      if (!(failure instanceof WrongMetadata)) failure = error;
    }
  }
  if (failure instanceof WrongMetadata) throw failure;
  const reason = failure instanceof Error ? failure.message : 'no answer';
  throw new IssuerUnavailable(`the metadata of ${issuer} cannot be read: ${reason}`, {
    cause: failure,
  });
};

const trimSlash = (issuer: string): string => issuer.replace(/\/$/, '');

const keysUrlIn = (metadata: JsonObject, issuer: string): string => {
  const { issuer: named } = metadata;
  if (typeof named === 'string' && named !== issuer && trimSlash(named) === trimSlash(issuer))
    throw new WrongMetadata(
      `the metadata of ${issuer} names the issuer ${named}: the slash at the end differs; configure ${named}`,
    );
  if (named !== issuer)
    throw new WrongMetadata(`the metadata of ${issuer} names another issuer; configure that one`);
  const url = metadata['jwks_uri'];
  if (typeof url === 'string' && URL.canParse(url)) return url;
  throw new WrongMetadata(`the metadata of ${issuer} names no keys`);
};
