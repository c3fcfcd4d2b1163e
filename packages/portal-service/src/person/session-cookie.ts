import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse, serialize } from 'cookie';

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/** A cookie that holds an id. Scripts cannot read it, and other sites cannot send it with requests that change something. */
export interface SessionCookie {
  /** Returns the id of a request; undefined without a cookie of the right form. */
  readonly read: (request: Pick<IncomingMessage, 'headers'>) => string | undefined;
  /** Returns the value of `set-cookie` that stores an id, or removes it. */
  readonly write: (id: string | undefined) => string;
}

/** The cookies of a portal. */
export interface PortalCookies {
  /** Of a person who is signed in. */
  readonly session: SessionCookie;
  /** Of a browser in which a sign-in has started. A sign-in that fails changes no session. */
  readonly signIn: SessionCookie;
}

/** Returns a new id: 256 random bits. */
export const newSessionId = (): string => randomBytes(ID_BYTES).toString('base64url');

const cookieOf = (publicUrl: URL, base: string, path: string): SessionCookie => {
  const secure = publicUrl.protocol === 'https:';
  const name = secure ? `__Secure-${base}` : base;
  const attributes = { httpOnly: true, secure, sameSite: 'lax', path } as const;
  return {
    read: ({ headers }) => {
      const value = parse(headers.cookie ?? '')[name];
      return value !== undefined && ID.test(value) ? value : undefined;
    },
    write: (id) =>
      id === undefined
        ? serialize(name, '', { ...attributes, maxAge: 0 })
        : serialize(name, id, attributes),
  };
};

/**
 * Creates the cookies of a portal.
 *
 * @param publicUrl the URL of the portal: with https the cookies are sent on secure connections only, and they are bound to its path
 */
export const createPortalCookies = (publicUrl: URL): PortalCookies => ({
  session: cookieOf(publicUrl, 'portal', publicUrl.pathname),
  signIn: cookieOf(publicUrl, 'portal-sign-in', `${publicUrl.pathname}auth/`),
});
