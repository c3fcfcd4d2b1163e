import { randomBytes } from 'node:crypto';
import { parse, serialize } from 'cookie';
import { cookieScope, type CookieRequest } from './cookie-scope.ts';
import { createSignInCookies, type SignInCookies } from './sign-in-cookies.ts';

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/** The cookie that holds the id of a session. */
export interface SessionCookie {
  /** Returns the id of a request; undefined without a cookie of the right form. */
  readonly read: (request: CookieRequest) => string | undefined;
  /** Returns the value of `set-cookie` that stores an id, or removes it. */
  readonly write: (id: string | undefined) => string;
}

/** The cookies of a portal. */
export interface PortalCookies {
  /** Of a person who is signed in. */
  readonly session: SessionCookie;
  /** Of a browser in which sign-ins have started. A sign-in that fails changes no session. */
  readonly signIn: SignInCookies;
}

/** Returns a new id: 256 random bits. */
export const newSessionId = (): string => randomBytes(ID_BYTES).toString('base64url');

const sessionCookie = (publicUrl: URL): SessionCookie => {
  const { name, attributes } = cookieScope(publicUrl, { suffix: '', path: '' });
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

/** The parts of {@link createPortalCookies}. */
export interface PortalCookieParts {
  readonly publicUrl: URL;
  /** The key of the portal. */
  readonly key: Uint8Array;
  readonly now: () => number;
}

/** Creates the cookies of a portal. */
export const createPortalCookies = ({ publicUrl, key, now }: PortalCookieParts): PortalCookies => ({
  session: sessionCookie(publicUrl),
  signIn: createSignInCookies({
    scope: cookieScope(publicUrl, { suffix: '-sign-in', path: 'auth/' }),
    ...{ key, now, firstPage: publicUrl.href },
  }),
});
