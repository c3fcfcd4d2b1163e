import type { IncomingMessage } from 'node:http';
import type { TokenRefusalCode } from './token-refusal.ts';

/** The token of a request, or the reason why there is none. */
export type BearerToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly code: TokenRefusalCode };

/** Characters of the longest token. */
const MAX_TOKEN_CHARS = 16 * 1024;

const NAME = 'authorization';
const SCHEME = /^bearer +/i;
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const QUERY_TOKEN = /[?&]access_token=/i;

const refused = (code: TokenRefusalCode): BearerToken => ({ ok: false, code });

/**
 * Returns the token of a request. Node drops repeated `Authorization` lines from `headers`, so this reads the raw lines. RFC 6750 §2.1;
 * tokens in the URL (§2.3) are refused, since URLs are logged. Characters are for {@link isWellFormed}, once per token.
 */
export const bearerTokenOf = ({
  rawHeaders,
  url = '',
}: Pick<IncomingMessage, 'rawHeaders' | 'url'>): BearerToken => {
  if (url.includes('?') && QUERY_TOKEN.test(url)) return refused('ambiguous');
  let value: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (!isAuthorization(rawHeaders[at])) continue;
    if (value !== undefined) return refused('ambiguous');
    value = rawHeaders[at + 1];
  }
  return value === undefined ? refused('missing') : tokenOf(value);
};

const isAuthorization = (name = ''): boolean =>
  name.length === NAME.length && name.toLowerCase() === NAME;

const tokenOf = (value: string): BearerToken => {
  const [scheme] = SCHEME.exec(value.slice(0, MAX_SCHEME_CHARS)) ?? [];
  // Credentials of another scheme are none that the gateway knows.
  if (scheme === undefined) return refused('missing');
  const token = value.slice(scheme.length);
  if (token.length > MAX_TOKEN_CHARS) return refused('too-large');
  return { ok: true, token };
};

/** Returns whether a token has only the characters of RFC 6750 §2.1. */
export const isWellFormed = (token: string): boolean => TOKEN.test(token);

/** Characters in which the scheme and its spaces end. */
const MAX_SCHEME_CHARS = 32;
