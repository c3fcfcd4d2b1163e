import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BROKER_PATHS } from '../server/broker-paths.ts';
import { cookieNames } from '../server/cookie-names.ts';

/** Lifetime of a sign-in at the provider, in milliseconds. */
export const LOGIN_MS = 10 * 60_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The cookie of one sign-in: several can run in one browser at the same time. */
const nameOf = (state: string, publicUrl: URL): string =>
  cookieNames(publicUrl).login + digest(state).subarray(0, 9).toString('base64url');

const attributes = (publicUrl: URL, maxAgeSeconds: number): string => {
  const { isSecure } = cookieNames(publicUrl);
  // `__Host-` demands the path `/`.
  const path = isSecure ? '/; Secure' : BROKER_PATHS.callback;
  return `Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=Lax`;
};

/** Returns the cookie that binds a sign-in to the browser that started it. */
export const loginCookie = (state: string, secret: string, publicUrl: URL): string =>
  `${nameOf(state, publicUrl)}=${secret}; ${attributes(publicUrl, LOGIN_MS / 1000)}`;

/** Returns the cookie that removes {@link loginCookie}. */
export const removedLoginCookie = (state: string, publicUrl: URL): string =>
  `${nameOf(state, publicUrl)}=; ${attributes(publicUrl, 0)}`;

const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const prefix = `${name}=`;
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix));
  return found?.slice(prefix.length);
};

/** Returns whether a request comes from the browser that started a sign-in; compares in constant time. */
export const isSameBrowser = (
  request: IncomingMessage,
  { state, secret }: { readonly state: string; readonly secret: string },
  publicUrl: URL,
): boolean => {
  const given = cookieOf(request, nameOf(state, publicUrl));
  return given !== undefined && timingSafeEqual(digest(given), digest(secret));
};
