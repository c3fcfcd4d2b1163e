import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LOGIN_MS } from './pending-login.ts';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Each sign-in has its own cookie, so that several can run in one browser. */
const nameOf = (state: string): string =>
  `gateway-sign-in-${hash(state).toString('hex').slice(0, 16)}`;

const attributesOf = (url: URL): string =>
  `Path=${url.pathname.replace(/[^/]*$/, '')}; HttpOnly; SameSite=Lax${url.protocol === 'https:' ? '; Secure' : ''}`;

/** A sign-in and the URL of the gateway at which it started. */
export interface BrowserSignIn {
  readonly state: string;
  /** The URL of the callback. */
  readonly callback: URL;
}

/** Returns the header that marks the browser in which a sign-in starts. */
export const browserCookie = ({ state, callback }: BrowserSignIn, secret: string): string =>
  `${nameOf(state)}=${secret}; Max-Age=${LOGIN_MS / 1_000}; ${attributesOf(callback)}`;

/** Returns the header that removes the cookie. */
export const removedCookie = ({ state, callback }: BrowserSignIn): string =>
  `${nameOf(state)}=; Max-Age=0; ${attributesOf(callback)}`;

/** Returns true when a request is from the browser in which the sign-in started. The comparison takes the same time for every text. */
export const isSameBrowser = (request: IncomingMessage, state: string, secret: string): boolean => {
  const prefix = `${nameOf(state)}=`;
  const sent = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(prefix));
  return timingSafeEqual(hash(sent?.slice(prefix.length) ?? ''), hash(secret));
};
