import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A request with its cookies. */
export type CookieRequest = Pick<IncomingMessage, 'headers'>;

/** The name of a cookie, and who gets it. Scripts cannot read it, and other sites cannot send it with requests that change something. */
export interface CookieScope {
  readonly name: string;
  readonly attributes: {
    readonly httpOnly: true;
    readonly secure: boolean;
    readonly sameSite: 'lax';
    readonly path: string;
  };
}

const DIGEST_CHARS = 16;

/** Several portals of one host have one path, and names of their own. */
const portalName = (pathname: string): string =>
  pathname === '/'
    ? 'portal'
    : `portal-${createHash('sha256').update(pathname).digest('base64url').slice(0, DIGEST_CHARS)}`;

/**
 * Returns the scope of a cookie of a portal. With https it is sent on secure connections only, and browsers let no other host write it
 * (`__Host-`, RFC 6265bis §4.1.3), which requires the path of the whole host. With http it is bound to the path.
 *
 * @param path the path below that of the portal
 */
export const cookieScope = (
  { protocol, pathname }: URL,
  { suffix, path }: { readonly suffix: string; readonly path: string },
): CookieScope => {
  const secure = protocol === 'https:';
  return {
    name: secure ? `__Host-${portalName(pathname)}${suffix}` : `portal${suffix}`,
    attributes: {
      ...{ httpOnly: true, secure, sameSite: 'lax' },
      path: secure ? '/' : `${pathname}${path}`,
    },
  };
};
