import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LOGIN_MS } from './pending-login.ts';

/** The path of all pages of sign-ins to servers. */
const PAGES_PATH = '/oauth/proxy/';

/** A sign-in and the URL of the gateway at which it started. */
export interface BrowserSignIn {
  readonly state: string;
  /** The URL of the callback. */
  readonly callback: URL;
}

const isSecure = ({ callback }: BrowserSignIn): boolean => callback.protocol === 'https:';

const digestOf = ({ state }: BrowserSignIn): string =>
  createHash('sha256').update(state).digest('hex').slice(0, 16);

/** Each sign-in has its own cookie, so that several can run in one browser. With `__Host-`, other hosts of the domain cannot set it. */
const nameOf = (signIn: BrowserSignIn): string =>
  `${isSecure(signIn) ? '__Host-' : ''}gateway-sign-in-${digestOf(signIn)}`;

/** `__Host-` demands the path `/`. */
const attributesOf = (signIn: BrowserSignIn): string =>
  `Path=${isSecure(signIn) ? '/' : PAGES_PATH}; HttpOnly; SameSite=Lax${isSecure(signIn) ? '; Secure' : ''}`;

/** Returns the header that marks the browser in which a sign-in starts. */
export const browserCookie = (signIn: BrowserSignIn, secret: string): string =>
  `${nameOf(signIn)}=${secret}; Max-Age=${LOGIN_MS / 1_000}; ${attributesOf(signIn)}`;

/** Returns the header that removes the cookie. */
export const removedCookie = (signIn: BrowserSignIn): string =>
  `${nameOf(signIn)}=; Max-Age=0; ${attributesOf(signIn)}`;

/** The form of a cookie: 32 random bytes in base64url. */
const SECRET = /^[\w-]{43}$/;

/** Returns the value of the cookie of a sign-in; `undefined` when the browser has none of the right form. */
export const browserSecret = (
  request: IncomingMessage,
  signIn: BrowserSignIn,
): string | undefined => {
  const prefix = `${nameOf(signIn)}=`;
  const sent = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
  return sent !== undefined && SECRET.test(sent) ? sent : undefined;
};
