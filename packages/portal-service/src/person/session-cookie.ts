import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parse, serialize } from 'cookie';

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/** The cookie that holds the id of a session. Scripts cannot read it, and other sites cannot send it with their requests. */
export interface SessionCookie {
  /** Returns the session id of a request; undefined without a cookie of the right form. */
  readonly read: (request: Pick<IncomingMessage, 'headers'>) => string | undefined;
  /** Returns the value of `set-cookie` that stores an id, or removes it. */
  readonly write: (id: string | undefined) => string;
}

/** Returns a new session id: 256 random bits. */
export const newSessionId = (): string => randomBytes(ID_BYTES).toString('base64url');

/**
 * Creates the cookie of a portal.
 *
 * @param publicUrl the URL of the portal: with https the cookie is sent on secure connections only, and it is bound to the path
 */
export const createSessionCookie = (publicUrl: URL): SessionCookie => {
  const secure = publicUrl.protocol === 'https:';
  const name = secure ? '__Secure-portal' : 'portal';
  const attributes = { httpOnly: true, secure, sameSite: 'lax', path: publicUrl.pathname } as const;
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
